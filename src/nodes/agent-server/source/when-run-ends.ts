import type { AgentSource } from './agent-source.ts';
import { type ContainerRun, currentRun } from '../runs/container-run.ts';

/**
 * A signal that aborts when a run of a container has ended: by its status, a restart, or with its
 * pod. It follows the pod until `stop` aborts.
 */
export function whenRunEnds(run: ContainerRun, { pods }: AgentSource, stop: AbortSignal): AbortSignal {
  const ended = new AbortController();
  const { uid } = run.pod.metadata;
  if (run.endedMs !== undefined) ended.abort();
  const check = (pod: ContainerRun['pod']): void => {
    if (pod.metadata.uid === uid && !isSame(pod, run)) ended.abort();
  };
  const end = ({ metadata }: ContainerRun['pod']): void => {
    if (metadata.uid === uid) ended.abort();
  };
  pods.subscribe({ update: check, delete: end }, AbortSignal.any([stop, ended.signal]));
  return ended.signal;
}

/** True while the container still has the same run. */
function isSame(pod: ContainerRun['pod'], run: ContainerRun): boolean {
  try {
    const now = currentRun(pod, run.container);
    return now.endedMs === undefined && now.restarts === run.restarts;
  } catch {
    return false;
  }
}
