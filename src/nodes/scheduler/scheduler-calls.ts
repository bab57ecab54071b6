import type { ApiObject } from '../../client/api-object.ts';
import { builtInResources } from '../../client/built-in-resources.ts';
import type { Client } from '../../client/client.ts';
import { createEventRecorder } from '../../client/events/event-recorder.ts';
import type { InformerFactory } from '../../client/informers/informer-factory.ts';
import { hasReason, ignoreReasons } from '../../client/error-of-response.ts';
import { type Pod, pods } from '../../controllers/resources.ts';
import type { PersistentVolumeClaim } from '../../gen/types/core-v1.ts';
import { selectedNodeKey } from './volume-checks.ts';
import type { PodDisruptionBudget } from '../../gen/types/policy-v1.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { podCondition } from '../../kinds/core/pod.ts';
import { formatTime } from '../../meta/time.ts';

/** The scheduler of pods that name none. */
export const schedulerName = 'default-scheduler';

/** The server, and how errors are reported. */
export interface SchedulerOptions {
  readonly client: Client;
  readonly informers: InformerFactory;
  readonly identifiers: Identifiers;
  readonly onError: (error: unknown) => void;
}

/** The requests of a scheduler. */
export interface SchedulerCalls {
  /** Binds a pod. Resolves to false if it is gone or was bound by another. */
  bind(pod: Pod, node: string): Promise<boolean>;
  /** Asks the provisioner of a claim for a volume that a node reaches. */
  selectNode(claim: PersistentVolumeClaim, node: string): Promise<void>;
  /** Reports why a pod has no node, and the node on which room is made for it. */
  reportUnschedulable(pod: Pod, message: string, nominatedNodeName?: string): Promise<void>;
  /** The budgets of all namespaces. */
  budgets(): Promise<readonly PodDisruptionBudget[]>;
  /** Deletes a pod gracefully in favour of another. */
  evict(victim: Pod, inFavourOf: Pod): Promise<void>;
}

/** Makes the requests of a scheduler, with their Events. */
export function schedulerCalls(options: SchedulerOptions, signal: AbortSignal): SchedulerCalls {
  const { client, identifiers, onError } = options;
  const events = createEventRecorder(client, { component: schedulerName, signal, onError });
  const resource = client.resource(pods);
  const bindings = client.resource<ApiObject>(pods);

  async function patchStatus({ metadata }: Pod, status: Record<string, unknown>): Promise<void> {
    const { name, namespace, uid } = metadata;
    const target = { type: 'strategic' as const, subresource: 'status', namespace, signal };
    await ignoreReasons(resource.patch(name, { metadata: { uid }, status }, target), 'NotFound', 'Conflict');
  }

  return {
    async bind(pod, node) {
      const { name, namespace, uid } = pod.metadata;
      const metadata = { name, namespace, uid };
      const target = { apiVersion: 'v1', kind: 'Node', name: node };
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata, target };
      try {
        await bindings.create(binding, { subresource: 'binding', namespace, signal });
      } catch (error) {
        if (hasReason(error, 'NotFound', 'Conflict')) return false;
        throw error;
      }
      const message = `Successfully assigned ${namespace}/${name} to ${node}`;
      events.record(withKind(pod), { type: 'Normal', reason: 'Scheduled', action: 'Binding', message });
      return true;
    },

    async selectNode({ metadata }, node) {
      const key = selectedNodeKey(identifiers);
      if (!metadata?.name || metadata.annotations?.[key] === node) return;
      const { name, namespace, uid } = metadata;
      const change = { metadata: { uid, annotations: { [key]: node } } };
      const { persistentvolumeclaims } = builtInResources(identifiers.set);
      const target = { type: 'merge' as const, ...(namespace === undefined ? {} : { namespace }), signal };
      await client.resource(persistentvolumeclaims).patch(name, change, target);
    },

    async reportUnschedulable(pod, message, nominatedNodeName) {
      events.record(withKind(pod), { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', message });
      const nominated = nominatedNodeName === undefined ? {} : { nominatedNodeName };
      if (podCondition(pod, 'PodScheduled')?.message === message && nominatedNodeName === undefined) return;
      await patchStatus(pod, {
        conditions: [conditionOf('PodScheduled', 'False', 'Unschedulable', message)],
        ...nominated,
      });
    },

    async budgets() {
      const { poddisruptionbudgets } = builtInResources(identifiers.set);
      // Early releases have no such resource in this version.
      return (await ignoreReasons(client.resource(poddisruptionbudgets).list({ signal }), 'NotFound'))?.items ?? [];
    },

    async evict(victim, { metadata }) {
      const { name, namespace, uid } = victim.metadata;
      const message = `Preempted by pod ${metadata.uid} on node ${victim.spec.nodeName}`;
      const reason = 'PreemptionByScheduler';
      const text = `${schedulerName}: preempting to accommodate a higher priority pod`;
      await patchStatus(victim, { conditions: [conditionOf('DisruptionTarget', 'True', reason, text)] });
      events.record(withKind(victim), { type: 'Normal', reason: 'Preempted', action: 'Preempting', message });
      const deletion = resource.delete(name, { namespace, preconditions: { uid }, signal });
      await ignoreReasons(deletion, 'NotFound', 'Conflict');
    },
  };
}

function conditionOf(type: string, status: string, reason: string, message: string) {
  return { type, status, reason, message, lastTransitionTime: formatTime(Date.now()) };
}

function withKind(pod: Pod): Pod {
  return { ...pod, apiVersion: 'v1', kind: 'Pod' };
}
