import { isDeepStrictEqual } from 'node:util';
import { evaluators } from '../../admission/plugins/resource-quota/evaluators.ts';
import type { QuotaEvaluator } from '../../admission/plugins/resource-quota/quota-evaluator.ts';
import type { ApiObject } from '../../client/api-object.ts';
import { builtInResources } from '../../client/built-in-resources.ts';
import { discoverAll } from '../../client/discovery.ts';
import { objectKey } from '../../client/informers/indexer.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { objectAt } from '../../meta/read-field.ts';
import type { ResourceQuota } from '../../gen/types/core-v1.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { type CountedKind, isCounted, kindsOf, reconcile } from './reconcile.ts';

/** Quotas are counted again after this time, whatever was seen. */
const recountMs = 300_000;

/**
 * New objects are counted this long after the first of them, in one count, which reads all objects
 * of their namespace.
 */
const appearedDelayMs = 500;

/** A kind that does not exist is looked for again after this time. */
const rediscoverMs = 30_000;

/** Kinds whose changes can lower their use. */
const shrinking: ReadonlySet<string> = new Set(['pods', 'services', 'persistentvolumeclaims']);

/** Lists the objects of a kind in a namespace. */
type ListObjects = (namespace: string) => readonly ApiObject[];

/** Counts the resources that quotas limit, when quotas change and when objects are deleted. */
export const resourceQuotaController: ControllerDefinition = {
  name: 'resourcequota-controller',
  alias: 'resourcequota',
  account: 'resourcequota-controller',
  async run(context: ControllerContext, signal): Promise<void> {
    const { client, informers, identifiers, options, controller } = context;
    const { resourcequotas } = builtInResources(identifiers.set);
    const quotas = informers.informer(resourcequotas);
    const evaluatorOf = evaluators(identifiers);
    /**
     * The quotas that this instance has counted, and whose use has not shrunk since. A status that
     * another instance wrote is not trusted.
     */
    const current = new Set<string>();
    /** The quotas whose use may be too low: objects appeared after they had been counted. */
    const tooLow = new Set<string>();
    /** The quotas that will be among them after the delay. */
    const delayed = new Set<string>();
    /** The kinds that were not found, and when to look for them again. */
    const missing = new Map<string, number>();
    const isMissing = (kind: CountedKind): boolean => (missing.get(keyOf(kind)) ?? 0) > performance.now();
    const counted = controller<ResourceQuota>({
      name: 'resource_quota_controller_resource_changes',
      for: resourcequotas,
      concurrency: options['concurrent-resource-quota-syncs'],
      async reconcile({ object, name, namespace }) {
        const key = objectKey(name, namespace);
        if (!object) current.delete(key);
        const isCurrent = object && current.has(key) && isCounted(object, evaluatorOf, (kind) => !isMissing(kind));
        const mayRaise = tooLow.delete(key);
        if (!object || (isCurrent && !mayRaise)) return {};
        current.add(key);
        try {
          await reconcile(object, isCurrent ? 'raise' : 'replace', {
            evaluatorOf,
            list: (kind) => objectsOf(kind, namespace),
            update: (quota) => client.resource(resourcequotas).update(quota, { subresource: 'status', signal }),
          });
        } catch (error) {
          if (isCurrent) tooLow.add(key);
          else current.delete(key);
          throw error;
        }
        const isComplete = !kindsOf(object, evaluatorOf).some(isMissing);
        return isComplete ? {} : { requeueAfterMs: rediscoverMs };
      },
    });

    const recount = (quota: ResourceQuota): void => {
      const { name = '', namespace = '' } = quota.metadata ?? {};
      current.delete(objectKey(name, namespace));
      counted.enqueue(name, namespace);
    };
    const usersOf = (kind: CountedKind, { metadata }: ApiObject): readonly ResourceQuota[] =>
      quotas
        .list({ namespace: metadata?.namespace ?? '' })
        .filter((quota) =>
          kindsOf(quota, evaluatorOf).some(({ group, resource }) => group === kind.group && resource === kind.resource),
        );
    /** Raises the counts that were made before an object was seen whose use was in them. */
    const countAppeared = (kind: CountedKind, object: ApiObject): void => {
      for (const { metadata: { name = '', namespace = '' } = {} } of usersOf(kind, object)) {
        const key = objectKey(name, namespace);
        if (delayed.has(key)) continue;
        delayed.add(key);
        const due = (): void => {
          delayed.delete(key);
          tooLow.add(key);
          counted.enqueue(name, namespace);
        };
        setTimeout(due, appearedDelayMs).unref();
      }
    };
    const sources = new Map<string, Promise<ListObjects | undefined>>();

    async function objectsOf(kind: CountedKind, namespace: string): Promise<readonly JsonObject[] | undefined> {
      const key = keyOf(kind);
      if (isMissing(kind)) return undefined;
      const source = sources.get(key) ?? open(kind);
      sources.set(key, source);
      try {
        const list = await source;
        if (!list) sources.delete(key);
        // An object of the API is JSON.
        return list?.(namespace) as readonly JsonObject[] | undefined;
      } catch (error) {
        sources.delete(key);
        throw error;
      }
    }

    /** Follows the objects of a kind from the first quota that limits them. */
    async function open(kind: CountedKind): Promise<ListObjects | undefined> {
      const { group, resource } = kind;
      const reference = (await discoverAll(client, signal)).resources.find(
        (each) => each.group === group && each.resource === resource && each.namespaced,
      );
      if (!reference) {
        missing.set(keyOf(kind), performance.now() + rediscoverMs);
        return undefined;
      }
      const shrinks = group === '' && shrinking.has(resource);
      const informer = shrinks ? informers.informer<ApiObject>(reference) : informers.metadataInformer(reference);
      await informer.synced(signal);
      const changed = (object: ApiObject): void => usersOf(kind, object).forEach(recount);
      // Not after each update: a count of the objects that are seen lacks those that are being
      // created, whose use admission has charged.
      const updated = (object: ApiObject, old: ApiObject): void => {
        if (changesUse(evaluatorOf(group, resource), object, old)) changed(object);
      };
      // The objects that are present now are in the count that waits for the list.
      let isListed = false;
      const added = (object: ApiObject): void => {
        if (isListed) countAppeared(kind, object);
      };
      informer.subscribe({ add: added, delete: changed, ...(shrinks ? { update: updated } : {}) }, signal);
      isListed = true;
      return (namespace) => informer.list({ namespace });
    }

    const timer = setInterval(() => quotas.list().forEach(recount), recountMs);
    timer.unref();
    await counted.run(signal);
    clearInterval(timer);
  },
};

/** True if an update changes the use of an object, or the scopes that it is in. */
function changesUse(evaluator: QuotaEvaluator | undefined, object: ApiObject, old: ApiObject): boolean {
  // Objects of the API are JSON.
  const [now, before] = [object, old].map((one) => {
    const json = one as JsonObject;
    return [evaluator?.usageOf(json), objectAt(json, 'spec')['activeDeadlineSeconds']];
  });
  return !isDeepStrictEqual(now, before);
}

function keyOf({ group, resource }: CountedKind): string {
  return `${resource}.${group}`;
}
