import { andThen, type MaybePromise } from '../async/maybe-promise.ts';
import type { FindParams, ParamObjects } from '../admission/policies/find-param-objects.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { type LabelRequirement, matchRequirements } from '../meta/label-requirement.ts';
import { memoize } from '../meta/memoize.ts';
import type { SelectionTerm } from '../storage/cache/resource-cache.ts';
import type { MutableCatalogue } from '../registry/definition/live-catalogue.ts';
import type { RequestScope, ResourceRegistry, VersionedObject } from '../registry/definition/registry.ts';
import type { ResourceDefinition } from '../registry/definition/resource-definition.ts';
import { hasReason, systemScope } from '../registry/internal/ensure-object.ts';

/** A resource in a version, with its registry. */
interface ParamResource {
  readonly identifiers: Identifiers;
  readonly registry: ResourceRegistry;
  readonly version: string;
}

/**
 * Returns the parameters of policies: objects of any served kind, as clients read them. They come
 * from the cache; selectors use its indexes.
 */
export function policyParams(
  identifiers: Identifiers,
  catalogue: MutableCatalogue,
  registryOf: (info: ResourceDefinition) => ResourceRegistry | undefined,
): FindParams {
  return (group, version, kind) => {
    const info = catalogue.current.findKind(group, version, kind)?.info;
    const registry = info && registryOf(info);
    return registry && paramObjects({ identifiers, registry, version });
  };
}

function paramObjects(resource: ParamResource): ParamObjects {
  const { registry } = resource;
  return {
    namespaced: registry.info.namespaced,
    get(namespace, name, signal) {
      const scope = { ...scopeOf(resource, namespace, signal), name };
      const known = registry.peek(scope, { kind: 'any' });
      return known ? valueOf(known) : readCached(registry, scope);
    },
    list(namespace, requirements, signal): MaybePromise<readonly JsonObject[]> {
      const query = { ...selectionOf(requirements), at: { kind: 'any' }, limit: 0 } as const;
      return andThen(registry.list(scopeOf(resource, namespace, signal), query), ({ items }) => items.map(valueOf));
    },
  };
}

/** The index conditions and the filter of a selector, cached. */
const selectionOf = memoize((requirements: readonly LabelRequirement[]) => {
  const matches = matchRequirements(requirements);
  const all = requirements.flatMap(({ key, operator, values }): SelectionTerm[] =>
    valueOperators.has(operator) ? [{ kind: 'label', name: key, values }] : [],
  );
  const filter = ({ labels }: { readonly labels: ReadonlyMap<string, string> }): boolean => matches(labels);
  return { filter, ...(all.length > 0 ? { terms: { all, complete: all.length === requirements.length } } : {}) };
});

const valueOperators: ReadonlySet<string> = new Set(['=', '==', 'in']);

function scopeOf(
  { identifiers, registry, version }: ParamResource,
  namespace: string,
  signal: AbortSignal,
): RequestScope {
  return { ...systemScope(identifiers, registry, signal), version, namespace };
}

/** Reads an object after the cache is filled; undefined if it does not exist. */
async function readCached(registry: ResourceRegistry, scope: RequestScope): Promise<JsonObject | undefined> {
  try {
    return valueOf(await registry.get(scope, { kind: 'any' }));
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** The parsed object, cached. */
const parsed = memoize((object: VersionedObject): JsonObject => {
  return object.value ?? (JSON.parse(object.json.toString('utf8')) as JsonObject);
});

function valueOf(object: VersionedObject): JsonObject {
  return parsed(object);
}
