import type { ApiObject } from '../../client/api-object.ts';
import type { Client } from '../../client/client.ts';
import { controller } from '../../client/controllers/controller.ts';
import { createEventRecorder } from '../../client/events/event-recorder.ts';
import type { InformerFactory } from '../../client/informers/informer-factory.ts';
import { hasReason } from '../../client/status-error.ts';
import { type Node, nodes, type Pod, pods } from '../../controllers/resources.ts';
import { isActive, podCondition, hasEnded } from '../../kinds/core/pod.ts';
import { formatTime } from '../../meta/time.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { chooseNode } from './choose-node.ts';
import { addTo, type Amounts, requestsOf } from './pod-requests.ts';

/** The resources that pods take of their nodes. Bound pods count before the informer has them. */
class NodeUsage {
  readonly #byNode = new Map<string, Record<string, number>>();
  readonly #counted = new Map<string, { readonly node: string; readonly requests: Amounts }>();

  /** The resources taken of a node. */
  of(node: string): Amounts {
    return this.#byNode.get(node) ?? {};
  }

  /** Counts a pod for a node, and no longer for another. */
  assume(pod: Pod, node: string): void {
    const { uid } = pod.metadata;
    this.forget(uid);
    const requests = requestsOf(pod);
    const total = this.#byNode.get(node) ?? {};
    this.#byNode.set(node, total);
    this.#counted.set(uid, { node, requests });
    addTo(total, requests);
  }

  /** Counts a pod as the informer has it. */
  observe(pod: Pod): void {
    if (hasEnded(pod)) this.forget(pod.metadata.uid);
    else if (pod.spec.nodeName && this.#counted.get(pod.metadata.uid)?.node !== pod.spec.nodeName) {
      this.assume(pod, pod.spec.nodeName);
    }
  }

  /** Counts a pod no longer. */
  forget(uid: string): void {
    const counted = this.#counted.get(uid);
    if (!counted) return;
    this.#counted.delete(uid);
    addTo(this.#byNode.get(counted.node) ?? {}, counted.requests, -1);
  }
}

/** The server, and how errors are reported. */
interface SchedulerOptions {
  readonly client: Client;
  readonly informers: InformerFactory;
  readonly identifiers: Identifiers;
  readonly onError: (error: unknown) => void;
}

/** The scheduler of pods that name none. */
const schedulerName = 'default-scheduler';

/** Pods that are bound at the same time. */
const concurrency = 32;

/** Binds pods to nodes by resources, labels, taints and node affinity, until the signal aborts. */
export async function runScheduler(
  { client, informers, identifiers, onError }: SchedulerOptions,
  signal: AbortSignal,
): Promise<void> {
  const events = createEventRecorder(client, { component: schedulerName, signal, onError });
  const podInformer = informers.informer(pods);
  const nodeInformer = informers.informer(nodes);
  const resource = client.resource(pods);
  const bindings = client.resource<ApiObject>(pods);
  const usage = new NodeUsage();
  /** Pods without a node, which are tried again when nodes or other pods change. */
  const unschedulable = new Map<string, Pod>();

  async function bind(pod: Pod, node: string): Promise<void> {
    const { name, namespace, uid } = pod.metadata;
    const binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace, uid },
      target: { apiVersion: 'v1', kind: 'Node', name: node },
    };
    usage.assume(pod, node);
    try {
      await bindings.create(binding, { subresource: 'binding', namespace, signal });
    } catch (error) {
      usage.forget(uid);
      if (hasReason(error, 'NotFound', 'Conflict')) return;
      throw error;
    }
    const message = `Successfully assigned ${namespace}/${name} to ${node}`;
    events.record(withKind(pod), { type: 'Normal', reason: 'Scheduled', action: 'Binding', message });
  }

  async function report(pod: Pod, message: string): Promise<void> {
    const { name, namespace, uid } = pod.metadata;
    events.record(withKind(pod), { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', message });
    if (podCondition(pod, 'PodScheduled')?.message === message) return;
    const lastTransitionTime = formatTime(Date.now());
    const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message, lastTransitionTime };
    const options = { type: 'strategic' as const, subresource: 'status', namespace, signal };
    await resource.patch(name, { metadata: { uid }, status: { conditions: [condition] } }, options);
  }

  async function schedule(pod: Pod): Promise<void> {
    const unschedulableTaint = `node.${identifiers.labelDomain}/unschedulable`;
    const choice = chooseNode(pod, {
      nodes: nodeInformer.list(),
      usageOf: (node) => usage.of(node),
      unschedulableTaint,
    });
    if ('node' in choice) return await bind(pod, choice.node);
    unschedulable.set(pod.metadata.uid, pod);
    await report(pod, choice.message);
  }

  const scheduling = controller<Pod>({
    name: 'scheduler',
    informers,
    for: pods,
    concurrency,
    onError,
    async reconcile({ object }) {
      if (object) unschedulable.delete(object.metadata.uid);
      if (object && isActive(object) && !object.spec.nodeName && object.spec.schedulerName === schedulerName) {
        await schedule(object);
      }
    },
  });
  const retry = (): void => {
    for (const { metadata } of unschedulable.values()) scheduling.enqueue(metadata.name, metadata.namespace);
  };
  podInformer.subscribe(
    {
      add: (pod) => usage.observe(pod),
      update: (pod) => usage.observe(pod),
      delete({ metadata }) {
        usage.forget(metadata.uid);
        unschedulable.delete(metadata.uid);
        retry();
      },
    },
    signal,
  );
  nodeInformer.subscribe({ add: retry, update: (node, old) => offersMore(node, old) && retry() }, signal);
  await nodeInformer.synced(signal);
  await scheduling.run(signal);
}

/** Heartbeats of nodes change nothing for pods. */
function offersMore(node: Node, old: Node): boolean {
  return offerOf(node) !== offerOf(old);
}

function offerOf({ metadata, spec, status }: Node): string {
  return JSON.stringify([metadata.labels, spec, status?.allocatable, status?.capacity]);
}

function withKind(pod: Pod): Pod {
  return { ...pod, apiVersion: 'v1', kind: 'Pod' };
}
