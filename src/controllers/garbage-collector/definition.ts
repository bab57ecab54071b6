import { newDeferred } from '../../async/deferred.ts';
import type { OwnerReference, PartialObjectMetadata } from '../../client/api-object.ts';
import { type DiscoveredResource, type Discovery, discoverAll } from '../../client/discovery.ts';
import type { Informer } from '../../client/informers/informer.ts';
import { WorkQueue } from '../../client/queue/work-queue.ts';
import { hasReason, ignoreReasons } from '../../client/error-of-response.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { UnobservedOwner } from './classify-owners.ts';
import { apiVersionOf, type GraphNode } from './graph-node.ts';
import { Monitors } from './monitors.ts';
import { OwnerGraph } from './owner-graph.ts';
import { createOwnerReads } from './owner-reads.ts';
import { type CollectorCalls, reconcile } from './reconcile.ts';
import { pause } from '../../async/timers.ts';
import type { Client } from '../../client/client.ts';
import type { InformerFactory } from '../../client/informers/informer-factory.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';

/** The dependencies, and the callbacks. */
interface DiscoveryOptions {
  readonly client: Client;
  readonly informers: InformerFactory;
  readonly identifiers: Identifiers;
  readonly onDiscovery: (discovery: Discovery) => void;
  readonly onError: (error: unknown) => void;
}

/** Several changes at once are discovered together. */
const settleMs = 100;

/**
 * Greatest time between two discoveries. Another server may serve a new kind later than the one
 * whose definition was seen, and an aggregated server may return without any event.
 */
const intervalMs = 30_000;

/**
 * Discovers the resources at the start, when definitions of kinds or aggregated APIs change, and
 * from time to time, until the signal aborts.
 */
async function followDiscovery(options: DiscoveryOptions, signal: AbortSignal): Promise<void> {
  const { client, onDiscovery, onError } = options;
  let wake = new AbortController();
  watchDefinitions(options, () => wake.abort(), signal);
  while (!signal.aborted) {
    wake = new AbortController();
    try {
      onDiscovery(await discoverAll(client, signal));
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
    await pause(intervalMs, AbortSignal.any([signal, wake.signal]));
    if (wake.signal.aborted) await pause(settleMs, signal);
  }
}

function watchDefinitions(
  { informers, identifiers: { apiDomain } }: DiscoveryOptions,
  onChange: () => void,
  signal: AbortSignal,
): void {
  const handlers = { add: onChange, update: onChange, delete: onChange };
  const definitions = [
    { group: `apiextensions.${apiDomain}`, version: 'v1', resource: 'customresourcedefinitions', namespaced: false },
    { group: `apiregistration.${apiDomain}`, version: 'v1', resource: 'apiservices', namespaced: false },
  ];
  for (const reference of definitions) informers.metadataInformer(reference, { signal }).subscribe(handlers, signal);
}

/** Time of the first lists. A kind that cannot be listed must not stop the others. */
const syncTimeoutMs = 30_000;

const retryRate = Object.freeze({ initialMs: 5, maximumMs: 300_000 });

/** Deletes objects whose owners are gone, and the dependents of objects that are deleted. */
export const garbageCollector: ControllerDefinition = {
  name: 'garbage-collector-controller',
  alias: 'garbagecollector',
  component: 'garbage-collector-controller',
  account: 'generic-garbage-collector',
  async run(context: ControllerContext, signal): Promise<void> {
    const { informers, options, metrics, onError } = context;
    const queue = new WorkQueue({ name: 'garbage_collector', retryRate, metrics });
    const graph = new OwnerGraph({
      onWork: (uid) => queue.add(uid),
      onOwnerInOtherNamespace: (node, reference) => reportOwnerInOtherNamespace(context, node, reference),
    });
    const monitors = new Monitors(informers, graph);
    const kinds = new Map<string, DiscoveredResource>();
    const first = newDeferred<void>();
    /** Resolves when the objects of all kinds that were discovered are known. */
    let settled: Promise<unknown> = Promise.resolve();
    const following = followDiscovery(
      {
        ...context,
        onDiscovery(discovery) {
          for (const resource of discovery.resources) kinds.set(`${apiVersionOf(resource)}/${resource.kind}`, resource);
          const added = monitors.update(discovery);
          if (added.length > 0) settled = Promise.all([settled, firstLists(added, signal)]);
          first.resolve();
        },
      },
      signal,
    );
    await Promise.race([first.promise, following]);
    const calls = callsOf(context, { graph, queue, kinds, signal });
    const handle = async (uid: string): Promise<void> => {
      // The dependents of an object may be of a kind whose first list has not arrived.
      await settled;
      const node = graph.get(uid);
      if (node) await ignoringScope(() => reconcile(node, calls));
    };
    await queue.process(
      {
        concurrency: options['concurrent-gc-syncs'],
        handle,
        onError: (error) =>
          error instanceof UnobservedOwner || hasReason(error, 'Conflict') || signal.aborted || onError(error),
      },
      signal,
    );
    await following;
  },
};

/** Waits for the first lists, but not for ever: a kind may have no working server. */
async function firstLists(informers: readonly Informer<PartialObjectMetadata>[], signal: AbortSignal): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(syncTimeoutMs)]);
  await Promise.all(informers.map((informer) => informer.synced(limit))).catch(() => {});
}

/** The state of a running collector. */
interface CollectorState {
  readonly graph: OwnerGraph;
  readonly queue: WorkQueue;
  /** The resources by apiVersion and kind. */
  readonly kinds: ReadonlyMap<string, DiscoveredResource>;
  readonly signal: AbortSignal;
}

function callsOf({ client }: ControllerContext, { graph, queue, kinds, signal }: CollectorState): CollectorCalls {
  const owners = createOwnerReads<PartialObjectMetadata>();
  const at = ({ namespace }: GraphNode) => ({ namespace, signal });

  async function read(
    resource: DiscoveredResource,
    { namespace, name, uid }: { readonly namespace: string; readonly name: string; readonly uid: string },
  ): Promise<PartialObjectMetadata | undefined> {
    const object = await ignoreReasons(client.metadata(resource).get(name, { namespace, signal }), 'NotFound');
    return object?.metadata.uid === uid ? object : undefined;
  }

  return {
    known: (uid) => graph.get(uid),
    dependentsOf: (uid) => graph.dependentsOf(uid),
    blockingDependentsOf: (uid) => graph.blockingDependentsOf(uid),
    enqueue: (uid) => queue.add(uid),
    async read({ namespace }, owner) {
      const { apiVersion, kind, name, uid } = owner;
      const resource = kinds.get(`${apiVersion}/${kind}`);
      if (!resource) throw new Error(`unable to get REST mapping for ${apiVersion}/${kind}.`);
      if (resource.namespaced && namespace === '') throw new NamespacedOwner();
      const key = JSON.stringify([apiVersion, kind, resource.namespaced ? namespace : '', name, uid]);
      return owners(key, () => read(resource, { namespace, name, uid }));
    },
    get: (node) => read(node.resource, node),
    async delete(node, propagationPolicy) {
      const { uid, resourceVersion } = node;
      const preconditions = { uid, resourceVersion };
      await ignoreReasons(
        client.metadata(node.resource).delete(node.name, { ...at(node), propagationPolicy, preconditions }),
        'NotFound',
      );
    },
    async patch(node, { metadata: { uid, resourceVersion } }, change) {
      const patch = { metadata: { uid, resourceVersion, ...change } };
      await ignoreReasons(
        client.metadata(node.resource).patch(node.name, patch, { ...at(node), type: 'merge' }),
        'NotFound',
      );
    },
  };
}

/** An object of the cluster names an owner of a namespaced kind. It is left as it is. */
class NamespacedOwner extends Error {
  override readonly name = 'NamespacedOwner';
}

async function ignoringScope(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof NamespacedOwner)) throw error;
  }
}

function reportOwnerInOtherNamespace({ events }: ControllerContext, node: GraphNode, owner: OwnerReference): void {
  const { resource, namespace, name, uid } = node;
  const { apiVersion, kind } = owner;
  const shown = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
  const metadata = { name, uid, ...(namespace === '' ? {} : { namespace }) };
  events.record(
    { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata },
    {
      type: 'Warning',
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef ${shown} does not exist in namespace ${JSON.stringify(namespace)}`,
    },
  );
}
