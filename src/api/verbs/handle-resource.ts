import type { AdmissionChain } from '../../admission/admission.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Registries, ResourceRegistry } from '../../registry/definition/registry.ts';
import { memoize } from '../../meta/memoize.ts';
import type { ServedResource } from '../../registry/definition/catalogue.ts';
import type { VirtualCreate } from '../../registry/definition/virtual-create.ts';
import type { LiveCatalogue } from '../../registry/definition/live-catalogue.ts';
import type { Verb, VersionDefinition } from '../../registry/definition/resource-definition.ts';
import { methodNotAllowed, notServed } from '../../status/status-error.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import type { Exchange } from '../request/exchange.ts';
import type { Formats } from '../request/formats.ts';
import type { ListFeatures } from '../request/list-features.ts';
import { checkTarget } from '../request/path-segment-name.ts';
import { requestScope } from '../request/request-scope.ts';
import { sendNoSuchPage } from '../respond/answer-error.ts';
import { checkFormats } from '../respond/representation.ts';
import { createVerb } from './create-verb.ts';
import { createVirtual } from './create-virtual.ts';
import { deleteVerb } from './delete-verb.ts';
import { deleteCollectionVerb } from './delete-collection-verb.ts';
import { getVerb } from './get-verb.ts';
import { listVerb } from './list-verb.ts';
import { patchVerb } from './patch-verb.ts';
import type { VerbHandler } from '../request/resource-call.ts';
import { type ServedVerbs, servedVerbs } from './served-verbs.ts';
import { customNotAllowed, customNotFound, isOfOtherScope } from './refuse-custom.ts';
import { updateVerb } from './update-verb.ts';
import type { WatchServer } from './create-watch-server.ts';

/** The dependencies of the resource routes. */
interface ResourceDependencies {
  readonly identifiers: Identifiers;
  readonly catalogue: LiveCatalogue;
  readonly registries: Pick<Registries, 'of'>;
  /** Virtual creates by `group/resource`; the core group is ''. */
  readonly virtual: ReadonlyMap<string, VirtualCreate>;
  /** Admits objects that are not stored; registries admit the rest. */
  readonly admission: AdmissionChain;
  readonly bodyLimitBytes: number;
  readonly listFeatures: ListFeatures;
  readonly formats: Formats;
  readonly watches: WatchServer;
  readonly metrics: Pick<RequestMetrics, 'routed'>;
}

/**
 * Handles requests under `/api/{version}/` and `/apis/{group}/{version}/`. Throws `StatusError`.
 */
export function handleResource(dependencies: ResourceDependencies): (exchange: Exchange) => Promise<void> | void {
  const { identifiers, catalogue: live, admission, bodyLimitBytes, listFeatures, watches, metrics } = dependencies;
  const handlerOf: Readonly<Record<Verb, VerbHandler>> = {
    create: createVerb,
    delete: deleteVerb,
    deletecollection: deleteCollectionVerb,
    get: getVerb,
    list: listVerb,
    patch: patchVerb,
    update: updateVerb,
    watch: watches.watch,
  };
  const handlers: ReadonlyMap<string, VerbHandler> = new Map(Object.entries(handlerOf));
  const routeOf = memoize((served: ServedResource) => resourceRoute(served, dependencies));
  return (exchange) => {
    const { target } = exchange.path;
    const catalogue = live.current;
    if (!target || !catalogue.group(target.group)) return sendNoSuchPage(exchange);
    const served = catalogue.find(target.group, target.version, target.resource);
    if (!served) throw notServed();
    const { verbsAt, answerVirtual, registry, formats } = routeOf(served);
    exchange.formats = formats;
    const { verbs, subresource } = verbsAt(target);
    const { isCustom } = served.info;
    if (isCustom && isOfOtherScope(served, target, exchange.verb)) return sendNoSuchPage(exchange);
    if (verbs.size === 0) throw isCustom && target.name ? customNotFound(served, target) : notServed();
    const handler = verbs.has(exchange.verb) ? handlers.get(exchange.verb) : undefined;
    if (!handler || (target.prefix === 'watch' && exchange.request.method !== 'GET')) {
      throw isCustom ? customNotAllowed(served, exchange.verb, subresource === undefined) : methodNotAllowed();
    }
    metrics.routed(exchange, served, subresource);
    checkFormats(exchange);
    if (served.version.warning && !subresource?.kind) markDeprecated(exchange, identifiers, served.version);
    checkTarget(target);
    const scope = requestScope(identifiers, exchange, target, served.info);
    if (answerVirtual) {
      const question = {
        exchange,
        catalogue,
        served,
        subresource,
        scope,
        bodyLimitBytes,
        listFeatures,
        answerVirtual,
        admission,
      };
      return createVirtual(question);
    }
    if (!registry) throw notServed();
    return handler({ exchange, catalogue, served, subresource, scope, bodyLimitBytes, listFeatures, registry });
  };
}

/** Warns the client of a deprecated version, and notes its use for the audit record (spec 6.3). */
function markDeprecated(exchange: Exchange, { apiDomain }: Identifiers, version: VersionDefinition): void {
  const { warning, removedRelease } = version;
  if (warning) exchange.warnings.add(warning);
  exchange.annotate(`${apiDomain}/deprecated`, 'true');
  if (removedRelease) exchange.annotate(`${apiDomain}/removed-release`, removedRelease);
}

/** The parts of handling a resource in a version that are the same for all of its requests. */
interface ResourceRoute {
  readonly verbsAt: ServedVerbs;
  readonly registry: ResourceRegistry | undefined;
  readonly answerVirtual: VirtualCreate | undefined;
  /** The formats that can express the kind. */
  readonly formats: Formats;
}

type RouteDependencies = Pick<ResourceDependencies, 'registries' | 'virtual' | 'formats'>;

function resourceRoute(served: ServedResource, { registries, virtual, formats }: RouteDependencies): ResourceRoute {
  const { group, resource, kind } = served.info;
  return {
    verbsAt: servedVerbs(served),
    registry: registries.of(served.info),
    answerVirtual: virtual.get(`${group}/${resource}`),
    formats: formats.knowing({ group, version: served.version.version, kind }),
  };
}
