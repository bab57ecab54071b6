import type { AgentSource } from './agent-source.ts';
import { type ContainerRun, currentRun } from '../runs/container-run.ts';

/**
 * A signal that aborts when a run of a container has ended: by its status, a restart, or with its
 * pod. It follows the pod until `stop` aborts.
 */
export function whenRunEnds(run: ContainerRun, { pods, changes }: AgentSource, stop: AbortSignal): AbortSignal {
  const ended = new AbortController();
  const { uid, name, namespace } = run.pod.metadata;
  const check = (pod: ContainerRun['pod'] | undefined): void => {
    if (pod?.metadata.uid !== uid || !isSame(pod, run)) ended.abort();
  };
  if (run.endedMs === undefined) check(pods.get(name, namespace));
  else ended.abort();
  changes.follow(uid, check, AbortSignal.any([stop, ended.signal]));
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
