import type { ContainerStatus } from '../../gen/types/core-v1.ts';
import type { Pod } from '../../controllers/resources.ts';
import { staysEnded } from './restart-rules.ts';

/** The common state of the containers of a pod that are restarted. */
export interface PodRun {
  /** `new` before the first start. */
  readonly state: 'new' | 'running' | 'ended' | 'backing-off';
  readonly restarts: number;
  /** The time at which the run began or ended; undefined before the first start. */
  readonly since: string | undefined;
}

/** Reads the common state from the status of a pod. */
export function runOf(pod: Pod): PodRun {
  const { containerStatuses = [] } = pod.status ?? {};
  const first = containerStatuses.find((one) => !staysEnded(pod, one)) ?? containerStatuses[0];
  const restarts = first?.restartCount ?? 0;
  const { running, terminated } = first?.state ?? {};
  if (running) return { state: 'running', restarts, since: running.startedAt };
  if (terminated) return { state: 'ended', restarts, since: terminated.finishedAt };
  const last = first?.lastState?.terminated;
  return last
    ? { state: 'backing-off', restarts, since: last.finishedAt }
    : { state: 'new', restarts, since: undefined };
}

/** The end of the last run of a container that does not run. */
export function lastEndOf(before: ContainerStatus | undefined) {
  if (!before || before.state?.running) return undefined;
  return before.state?.terminated ?? before.lastState?.terminated;
}
