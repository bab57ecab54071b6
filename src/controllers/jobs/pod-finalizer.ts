import { WorkQueue } from '../../client/queue/work-queue.ts';
import { objectKey } from '../../client/informers/object-store.ts';
import { hasReason } from '../../client/status-error.ts';
import { type Job, type Pod, pods } from '../resources.ts';
import { controllerOf } from '../workloads/controller-reference.ts';
import { controlledBy } from '../workloads/owned-objects.ts';
import type { Workload } from '../workloads/workload-controller.ts';
import { isHeld } from './track-pods.ts';

/** Puts the finalizer on pods, and takes it off. Resolves when the informer has the pods. */
interface PodFinalizer {
  readonly hold: (pod: Pod) => Promise<void>;
  /** A pod without the finalizer is left as it is. */
  readonly release: (pod: Pod) => Promise<void>;
}

/** Creates the writer of a finalizer of pods. */
export function podFinalizer({ client, made, signal }: Workload<Job, Pod>, finalizer: string): PodFinalizer {
  const resource = client.resource(pods);

  async function change({ metadata }: Pod, fields: object): Promise<void> {
    const { name, namespace, uid } = metadata;
    try {
      const patch = { metadata: { uid, ...fields } };
      const written = await resource.patch(name, patch, { type: 'strategic', namespace, signal });
      // One that was being deleted may be gone with its last finalizer.
      if (written.metadata.deletionTimestamp === undefined) {
        await made.waitFor(written.metadata.resourceVersion, signal);
      }
    } catch (error) {
      // It is gone, or another one has its name.
      if (!hasReason(error, 'NotFound', 'Conflict')) throw error;
    }
  }

  return {
    hold: (pod) => change(pod, { finalizers: [finalizer] }),
    async release(pod) {
      if (isHeld(pod, finalizer)) await change(pod, { '$deleteFromPrimitiveList/finalizers': [finalizer] });
    },
  };
}

/** Takes the finalizer off pods whose Job is gone, until the signal aborts. */
export async function releaseOrphans(
  workload: Workload<Job, Pod>,
  finalizer: string,
  { release }: PodFinalizer,
): Promise<void> {
  const { made, informer, metrics, signal, onError } = workload;
  const queue = new WorkQueue({ name: 'job_orphan_pod', metrics });
  const isOrphan = (pod: Pod): boolean => {
    if (!isHeld(pod, finalizer)) return false;
    const owner = controllerOf(pod);
    return !owner || informer.get(owner.name, pod.metadata.namespace)?.metadata.uid !== owner.uid;
  };
  const enqueue = ({ metadata }: Pod): void => queue.add(objectKey(metadata.name, metadata.namespace));
  const check = (pod: Pod): void => {
    if (isOrphan(pod)) enqueue(pod);
  };
  await Promise.all([made.synced(signal), informer.synced(signal)]);
  made.subscribe({ add: check, update: check }, signal);
  informer.subscribe({ delete: ({ metadata }) => controlledBy(made, metadata.uid).forEach(check) }, signal);
  const handle = async (key: string): Promise<void> => {
    const [namespace, name = ''] = key.split('/');
    const pod = made.get(name, namespace);
    if (pod && isOrphan(pod)) await release(pod);
  };
  await queue.process({ handle, onError: (error) => signal.aborted || onError(error) }, signal);
}
