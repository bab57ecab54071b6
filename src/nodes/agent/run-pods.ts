import type { Client } from '../../client/client.ts';
import { controller } from '../../client/controllers/controller.ts';
import { type ObjectName, watched } from '../../client/controllers/watch-sources.ts';
import type { InformerFactory } from '../../client/informers/informer-factory.ts';
import { hasReason } from '../../client/status-error.ts';
import { type Node, nodes, type Pod, pods } from '../../controllers/resources.ts';
import { indexByNode, podsOn } from '../../controllers/workloads/pods-by-node.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { nodeOutcome } from './node-outcome.ts';
import { behaviourOf } from './pod-behaviour.ts';
import { podStatus } from './pod-status.ts';

/** The addresses of pods on stand-in nodes: 10.64.0.0/10, one after another. */
class PodIps {
  readonly #byUid = new Map<string, string>();
  #next = 1;

  /** The address of a pod, the same one at each call. */
  of(uid: string): string {
    const ip = this.#byUid.get(uid) ?? this.#take();
    this.#byUid.set(uid, ip);
    return ip;
  }

  /** Forgets the address of a pod that has ended. */
  release(uid: string): void {
    this.#byUid.delete(uid);
  }

  #take(): string {
    const index = this.#next++ & 0x3f_ffff;
    return `10.${64 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
  }
}

/** The nodes whose pods are run. */
interface PodAgentOptions {
  readonly client: Client;
  readonly informers: InformerFactory;
  readonly identifiers: Identifiers;
  /** Addresses of the nodes, by name. */
  readonly addresses: ReadonlyMap<string, string>;
  readonly onError: (error: unknown) => void;
}

/** Pods whose states are reported at the same time. */
const concurrency = 32;

/**
 * Reports each pod of the nodes as running, or as its annotations ask for, and ends pods that are
 * deleted. Nothing is really run. Ends when the signal aborts.
 */
export async function runPods(
  { client, informers, identifiers, addresses, onError }: PodAgentOptions,
  signal: AbortSignal,
): Promise<void> {
  const resource = client.resource(pods);
  const ips = new PodIps();
  const podInformer = informers.informer(pods);
  const nodeInformer = informers.informer(nodes);
  indexByNode(podInformer);
  const isLost = (node: string): boolean => nodeOutcome(nodeInformer.get(node), identifiers) === 'Lost';

  const nodeOf = ({ spec }: Pod): Node | undefined => nodeInformer.get(spec.nodeName ?? '');

  async function report(pod: Pod, hostIp: string): Promise<void> {
    const { name, namespace, uid } = pod.metadata;
    const podIp = pod.spec.hostNetwork ? hostIp : (pod.status?.podIP ?? ips.of(uid));
    const status = podStatus(pod, behaviourOf(pod, nodeOf(pod), identifiers), { podIp, hostIp }, Date.now());
    if (!status) return;
    const options = { type: 'merge' as const, subresource: 'status', namespace, signal };
    await resource.patch(name, { metadata: { uid }, status }, options);
  }

  async function end({ metadata }: Pod): Promise<void> {
    const { name, namespace, uid } = metadata;
    await resource.delete(name, { namespace, gracePeriodSeconds: 0, preconditions: { uid }, signal });
    ips.release(uid);
  }

  function namesOn(node: string): ObjectName[] {
    return podsOn(podInformer, node).map(({ metadata: { name, namespace = '' } }) => ({ name, namespace }));
  }

  await controller<Pod>({
    name: 'node-agent',
    informers,
    for: pods,
    // The pods of a node that was lost are reported again.
    watches: [watched<Node>(nodes, ({ metadata: { name } }) => (addresses.has(name) ? namesOn(name) : []))],
    concurrency,
    onError,
    async reconcile({ object }) {
      const nodeName = object?.spec.nodeName ?? '';
      const hostIp = addresses.get(nodeName);
      if (!object || hostIp === undefined || isLost(nodeName)) return undefined;
      try {
        const waitMs = endsInMs(object, behaviourOf(object, nodeOf(object), identifiers).terminationMs);
        if (waitMs !== undefined && waitMs > 0) return { requeueAfterMs: waitMs };
        await (waitMs === undefined ? report(object, hostIp) : end(object));
      } catch (error) {
        if (!hasReason(error, 'NotFound', 'Conflict')) throw error;
      }
      return undefined;
    },
  }).run(signal);
}

/** The time until a deleted pod ends; undefined if it is not deleted. */
function endsInMs({ metadata }: Pod, terminationMs: number): number | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  if (deletionTimestamp === undefined) return undefined;
  // The timestamp is the end of the grace period.
  const deletedMs = Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  return Math.max(0, deletedMs + terminationMs - Date.now());
}
