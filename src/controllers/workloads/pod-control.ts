import type { Client } from '../../client/client.ts';
import type { EventRecorder } from '../../client/events/event-recorder.ts';
import type { Informer } from '../../client/informers/informer.ts';
import { hasReason } from '../../client/error-of-response.ts';
import { formatTime } from '../../meta/time.ts';
import { type Pod, pods } from '../resources.ts';
import { type ControllingObject, controllerReference } from './controller-reference.ts';
import { isTerminatingNamespace } from '../is-terminating.ts';
import type { PodSpec, PodTemplateSpec } from '../../gen/types/core-v1.ts';

/** Creates and deletes the pods of a controller, and reports it as Events of their owner. */
export interface PodControl {
  /** Resolves when the informer has the pod. Reports all errors but a namespace's end. */
  create(pod: NewPod, owner: ControllingObject): Promise<Pod>;
  /** A pod that is gone already is no error. */
  delete(pod: Pod, owner: ControllingObject): Promise<void>;
  /** A pod as it is: with a time of deletion if its deletion has not been seen by the informer. */
  present(pod: Pod): Pod;
}

/** The dependencies of the control of pods. */
interface PodControlOptions {
  readonly client: Client;
  /** The informer of pods. */
  readonly made: Informer<Pod>;
  readonly events: EventRecorder;
  readonly signal: AbortSignal;
}

/** The messages of Events about pods. */
export interface PodMessages {
  created(pod: string, owner: string): string;
  deleted(pod: string, owner: string): string;
  notCreated(error: string, pod: string, owner: string): string;
  notDeleted(error: string, pod: string, owner: string): string;
}

const usualMessages: PodMessages = {
  created: (pod) => `Created pod: ${pod}`,
  deleted: (pod) => `Deleted pod: ${pod}`,
  notCreated: (error) => `Error creating: ${error}`,
  notDeleted: (error) => `Error deleting: ${error}`,
};

/** Creates the control of the pods of one controller. */
export function createPodControl(
  { client, made, events, signal }: PodControlOptions,
  messages: PodMessages = usualMessages,
): PodControl {
  const resource = client.resource(pods);
  /** The uids of pods whose deletion was requested and has not been seen. */
  const deleted = new Set<string>();
  made.subscribe(
    {
      update: ({ metadata }) => metadata.deletionTimestamp && deleted.delete(metadata.uid),
      delete: ({ metadata }) => deleted.delete(metadata.uid),
    },
    signal,
  );
  return {
    async create(pod, owner) {
      try {
        // The server completes the metadata.
        const created = await resource.create(pod as Pod, { namespace: owner.metadata.namespace, signal });
        events.record(owner, {
          type: 'Normal',
          reason: 'SuccessfulCreate',
          message: messages.created(created.metadata.name, owner.metadata.name),
        });
        await made.waitFor(created.metadata.resourceVersion, signal);
        return created;
      } catch (error) {
        if (!isTerminatingNamespace(error) && !signal.aborted) {
          events.record(owner, {
            type: 'Warning',
            reason: 'FailedCreate',
            message: messages.notCreated(textOf(error), pod.metadata.name ?? '', owner.metadata.name),
          });
        }
        throw error;
      }
    },
    async delete({ metadata }, owner) {
      const { name, namespace, uid } = metadata;
      // Before the request, because its event may arrive before its response.
      deleted.add(uid);
      try {
        await resource.delete(name, { namespace, preconditions: { uid }, signal });
        events.record(owner, {
          type: 'Normal',
          reason: 'SuccessfulDelete',
          message: messages.deleted(name, owner.metadata.name),
        });
      } catch (error) {
        deleted.delete(uid);
        if (hasReason(error, 'NotFound', 'Conflict')) return;
        events.record(owner, {
          type: 'Warning',
          reason: 'FailedDelete',
          message: messages.notDeleted(textOf(error), name, owner.metadata.name),
        });
        throw error;
      }
    },
    present(pod) {
      if (!deleted.has(pod.metadata.uid)) return pod;
      return { ...pod, metadata: { ...pod.metadata, deletionTimestamp: formatTime(Date.now()) } };
    },
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A pod that is to be created. */
export type NewPod = Omit<Pod, 'metadata'> & { metadata: Partial<Pod['metadata']> };

/** Makes a pod of a template, with a generated name unless the caller sets one. */
export function podFromTemplate(template: PodTemplateSpec, owner: ControllingObject): NewPod {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `${owner.metadata.name}-`,
      namespace: owner.metadata.namespace,
      labels: { ...labels },
      annotations: { ...annotations },
      ...(finalizers ? { finalizers } : {}),
      ownerReferences: [controllerReference(owner)],
    },
    // A stored template has a spec.
    spec: { ...(template.spec as PodSpec) },
  };
}

/**
 * Runs an action `count` times, in batches of 1, 2, 4 and so on. After a batch with a failure no
 * further one starts, so that a server that refuses one of many refuses few. Returns the number of
 * successes and the first error.
 */
export async function slowStart(
  count: number,
  action: (index: number) => Promise<void>,
): Promise<{ readonly successes: number; readonly error?: unknown }> {
  let successes = 0;
  let started = 0;
  for (let size = 1; started < count; size *= 2) {
    const batch = Array.from({ length: Math.min(size, count - started) }, (_, index) => action(started + index));
    started += batch.length;
    const results = await Promise.allSettled(batch);
    successes += results.filter(({ status }) => status === 'fulfilled').length;
    const failure = results.find((result) => result.status === 'rejected');
    if (failure) return { successes, error: failure.reason };
  }
  return { successes };
}
