import { builtInResources } from '../../client/built-in-resources.ts';
import type { Client } from '../../client/client.ts';
import { discoverAll } from '../../client/discovery.ts';
import type { ResourceClient } from '../../client/resource-client.ts';
import { ignoreReasons } from '../../client/error-of-response.ts';
import type { Namespace } from '../../gen/types/core-v1.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { itemsOfPages } from './items-of-pages.ts';
import { formatTime } from '../../meta/time.ts';
import { changedConditions } from './changed-conditions.ts';
import { type ContentCalls, deleteContent } from './delete-content.ts';

/** The requests of `reconcile`. */
interface NamespaceCalls extends ContentCalls {
  /** The present state; undefined if it is gone. */
  get(): Promise<Namespace | undefined>;
  updateStatus(namespace: Namespace): Promise<Namespace>;
  /** Replaces the finalizers in the specification. */
  finalize(namespace: Namespace): Promise<unknown>;
}

/** Content of a namespace remains, so that the next attempt follows after a delay. */
class ContentRemains extends Error {
  override readonly name = 'ContentRemains';
}

/**
 * Deletes the content of a deleted namespace, reports the rest in its conditions, and removes the
 * finalizer `own` when nothing is left.
 */
async function reconcile(own: string, calls: NamespaceCalls): Promise<void> {
  const namespace = await calls.get();
  const { name = '', deletionTimestamp } = namespace?.metadata ?? {};
  if (!namespace || !deletionTimestamp || !namespace.spec?.finalizers?.includes(own)) return;
  const outcome = await deleteContent(name, calls);
  const reported = await report(namespace, outcome, calls);
  const { remaining, discoveryErrors, contentErrors } = outcome;
  if (contentErrors.length > 0) throw new AggregateError(contentErrors, contentErrors[0]?.message);
  if (remaining.length > 0) throw new ContentRemains(`content of namespace ${name} remains`);
  if (discoveryErrors.length > 0) throw new ContentRemains(`not all kinds in namespace ${name} are known`);
  const finalizers = reported.spec?.finalizers?.filter((finalizer) => finalizer !== own);
  await calls.finalize({ ...reported, spec: { ...reported.spec, finalizers } });
}

/** A namespace whose content goes at the first attempt is not written for it. */
async function report(
  namespace: Namespace,
  outcome: Awaited<ReturnType<typeof deleteContent>>,
  calls: NamespaceCalls,
): Promise<Namespace> {
  const now = formatTime(Date.now());
  const conditions = changedConditions(namespace.status?.conditions ?? [], outcome, now);
  if (!conditions) return namespace;
  return calls.updateStatus({ ...namespace, status: { ...namespace.status, conditions } });
}

/** The delays between attempts. The cause of a delay often ends soon, or takes minutes. */
const retryRate = Object.freeze({ initialMs: 250, maximumMs: 15_000 });

/**
 * Time after the deletion of a namespace until its content is deleted. Other servers of the store
 * refuse new objects only when they have seen the deletion.
 */
const settleMs = 300;

/** Deletes the content of deleted namespaces, and then lets them go. */
export const namespaceController: ControllerDefinition = {
  name: 'namespace-controller',
  alias: 'namespace',
  account: 'namespace-controller',
  async run({ client, identifiers, options, onError, controller }: ControllerContext, signal): Promise<void> {
    const { namespaces } = builtInResources(identifiers.set);
    const resource = client.resource(namespaces);
    /** The times at which deletions were first seen, by namespace. */
    const seenMs = new Map<string, number>();
    await controller({
      name: 'namespace',
      for: namespaces,
      concurrency: options['concurrent-namespace-syncs'],
      retryRate,
      async reconcile({ name, object }) {
        if (!object?.metadata?.deletionTimestamp) {
          seenMs.delete(name);
          return {};
        }
        const nowMs = performance.now();
        const firstMs = seenMs.get(name) ?? nowMs;
        seenMs.set(name, firstMs);
        if (nowMs < firstMs + settleMs) return { requeueAfterMs: firstMs + settleMs - nowMs };
        await reconcile(identifiers.product, callsOf(client, resource, name, signal));
        return {};
      },
      onError: (error) => error instanceof ContentRemains || onError(error),
    }).run(signal);
  },
};

function callsOf(
  client: Client,
  resource: ResourceClient<Namespace>,
  namespace: string,
  signal: AbortSignal,
): NamespaceCalls {
  return {
    async get() {
      return await ignoreReasons(resource.get(namespace, { signal }), 'NotFound');
    },
    updateStatus: (object) => resource.update(object, { subresource: 'status', signal }),
    finalize: (object) => resource.update(object, { subresource: 'finalize', signal }),
    discover: () => discoverAll(client, signal),
    ofKind(kind) {
      const objects = client.metadata(kind);
      const background = { namespace, propagationPolicy: 'Background', signal } as const;
      return {
        list: (limit) => itemsOfPages(objects.pages({ namespace, signal, ...(limit ? { limit } : {}) }), limit),
        deleteCollection: () => objects.deleteCollection(background),
        delete: (name) => objects.delete(name, background),
      };
    },
  };
}
