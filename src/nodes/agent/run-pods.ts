import type { Client } from '../../client/client.ts';
import { controller } from '../../client/controllers/controller.ts';
import { type ObjectName, watched } from '../../client/controllers/watch-sources.ts';
import type { EventRecorder } from '../../client/events/event-recorder.ts';
import type { InformerFactory } from '../../client/informers/informer-factory.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import { hasReason } from '../../client/error-of-response.ts';
import { type Node, nodes, type Pod, pods } from '../../controllers/resources.ts';
import { indexByNode, podsOn } from '../../controllers/workloads/pods-by-node.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Stage } from '../stages/stage.ts';
import type { StageRunner } from '../stages/stage-runner.ts';
import { ExactTimes } from './exact-times.ts';
import { nodeOutcome } from './node-outcome.ts';
import { planPod } from './plan-pod.ts';
import { behaviourOf, type PodBehaviour } from './pod-behaviour.ts';
import { PodIps } from './pod-ips.ts';
import { podStatus } from './pod-status.ts';
import { pendingResize } from './resize-pod.ts';

/** The nodes whose pods are run. */
interface PodAgentOptions {
  readonly client: Client;
  readonly informers: InformerFactory;
  readonly identifiers: Identifiers;
  readonly events: EventRecorder;
  readonly stages: StageRunner;
  /** The stages of the API, whose changes concern all pods; undefined without the kind. */
  readonly stageResource: ResourceReference<Stage> | undefined;
  /** Addresses of the nodes, by name. */
  readonly addresses: ReadonlyMap<string, string>;
  /** The minor number of the release of the server. */
  readonly release: number;
  readonly onError: (error: unknown) => void;
}

/** Pods whose states are reported at the same time. */
const concurrency = 32;

/** The time after which a pending resize is tried again. */
const resizeRetryMs = 1_000;

/** A result of `reconcile`. */
type Requeue = { readonly requeueAfterMs: number } | undefined;

/** The result of a report of a pod. */
interface Report {
  readonly isWritten: boolean;
  /** The time until the next one, if time alone leads to it. */
  readonly waitMs: number | undefined;
}

/**
 * Reports each pod of the nodes as running, or as its annotations ask for, and ends pods that are
 * deleted. Nothing is really run. Ends when the signal aborts.
 */
export async function runPods(
  { client, informers, identifiers, events, stages, stageResource, addresses, release, onError }: PodAgentOptions,
  signal: AbortSignal,
): Promise<void> {
  const resource = client.resource(pods);
  const ips = new PodIps();
  const times = new ExactTimes();
  const podInformer = informers.informer(pods);
  const nodeInformer = informers.informer(nodes);
  indexByNode(podInformer);
  const isLost = (node: string): boolean => nodeOutcome(nodeInformer.get(node), identifiers) === 'Lost';

  function addressesOf({ metadata, spec, status }: Pod, hostIp: string) {
    return { hostIp, podIp: spec.hostNetwork ? hostIp : (status?.podIP ?? ips.of(metadata.uid)) };
  }

  function pendingOf(pod: Pod) {
    const { nodeName = '' } = pod.spec;
    return pendingResize(pod, nodeInformer.get(nodeName), podsOn(podInformer, nodeName));
  }

  async function report(pod: Pod, behaviour: PodBehaviour, hostIp: string): Promise<Report> {
    const { name, namespace, uid } = pod.metadata;
    const nowMs = Date.now();
    const plan = planPod(pod, behaviour, { nowMs, exactMs: (time, write) => times.exactMs(uid, time, write) });
    const { target, isNew = false, waitMs } = plan;
    const pending = pendingOf(pod);
    const context = { ...addressesOf(pod, hostIp), nowMs, identifiers, isNew, pending, release };
    const status = target && podStatus(pod, target, context);
    if (status) {
      // Read after the write has been seen, which may be before its response.
      if (waitMs !== undefined) times.wrote(uid, nowMs, target.containers.kind === 'waiting');
      const options = { type: 'merge' as const, subresource: 'status', namespace, signal };
      const { resourceVersion } = pod.metadata;
      // A restart is counted once, although the pod may be seen as it was before.
      const metadata = isNew ? { uid, resourceVersion } : { uid };
      await resource.patch(name, { metadata, status }, options);
      for (const event of plan.events ?? []) events.record({ ...pod, apiVersion: 'v1', kind: 'Pod' }, event);
    }
    // Other pods may make room for the resize.
    const nextMs = pending ? Math.min(resizeRetryMs, waitMs ?? resizeRetryMs) : waitMs;
    return { isWritten: status !== undefined, waitMs: nextMs };
  }

  async function end({ metadata }: Pod): Promise<undefined> {
    const { name, namespace, uid } = metadata;
    await resource.delete(name, { namespace, gracePeriodSeconds: 0, preconditions: { uid }, signal });
  }

  function namesOn(node: string): ObjectName[] {
    return podsOn(podInformer, node).map(({ metadata: { name, namespace = '' } }) => ({ name, namespace }));
  }

  const podsOfStage = ({ spec }: Stage): readonly ObjectName[] =>
    spec.resource === 'pods' ? [...addresses.keys()].flatMap(namesOn) : [];

  /** A pod that has not begun waits for a stage that matches it; another one goes on meanwhile. */
  async function reconcile(pod: Pod, hostIp: string): Promise<Requeue> {
    const node = nodeInformer.get(pod.spec.nodeName ?? '');
    const behaviour = behaviourOf(pod, node, identifiers);
    const reportNow = (): Promise<Report> => report(pod, behaviour, hostIp);
    if (stages.hasNewOutcome(pod)) {
      const first = await reportNow();
      if (first.isWritten) return requeueAfter(first.waitMs);
    }
    const subject = { kind: 'Pod' as const, object: pod, node, addresses: () => addressesOf(pod, hostIp) };
    const staged = await stages.run(subject, signal);
    const endMs = endsInMs(pod, behaviour.terminationMs);
    const isHeld = endMs !== undefined || pod.status?.startTime === undefined;
    if (staged && (staged.waitMs === undefined || isHeld)) return requeueAfter(staged.waitMs);
    if (endMs !== undefined && endMs > 0) return requeueAfter(endMs);
    if (endMs !== undefined) return end(pod);
    const { waitMs } = await reportNow();
    return requeueAfter(waitMs, staged?.waitMs);
  }

  const forget = ({ metadata: { uid } }: Pod): void => {
    ips.release(uid);
    times.forget(uid);
    stages.forget(uid);
  };
  /** Addresses that pods have since before this process are not given to others. */
  const note = ({ metadata: { uid }, status }: Pod): void => {
    if (status?.podIP) ips.note(uid, status.podIP);
  };
  podInformer.subscribe({ add: note, update: note, delete: forget }, signal);
  await controller<Pod>({
    name: 'node-agent',
    informers,
    for: pods,
    // The pods of a node that was lost are reported again.
    watches: [
      watched<Node>(nodes, ({ metadata: { name } }) => (addresses.has(name) ? namesOn(name) : [])),
      ...(stageResource ? [watched<Stage>(stageResource, podsOfStage)] : []),
    ],
    concurrency,
    onError,
    async reconcile({ object }) {
      const nodeName = object?.spec.nodeName ?? '';
      const hostIp = addresses.get(nodeName);
      if (!object || hostIp === undefined || isLost(nodeName)) return undefined;
      try {
        return await reconcile(object, hostIp);
      } catch (error) {
        if (!hasReason(error, 'NotFound', 'Conflict')) throw error;
        return undefined;
      }
    },
  }).run(signal);
}

/** Calls again after the shortest of some times. */
function requeueAfter(...waitsMs: readonly (number | undefined)[]): Requeue {
  const requeueAfterMs = Math.min(...waitsMs.filter((waitMs) => waitMs !== undefined));
  return Number.isFinite(requeueAfterMs) ? { requeueAfterMs } : undefined;
}

/** The time until a deleted pod ends; undefined if it is not deleted. */
function endsInMs({ metadata }: Pod, terminationMs: number): number | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  if (deletionTimestamp === undefined) return undefined;
  // The timestamp is the end of the grace period.
  const deletedMs = Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  return Math.max(0, deletedMs + terminationMs - Date.now());
}
