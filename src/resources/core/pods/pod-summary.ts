import type { ContainerState, ContainerStateTerminated, ContainerStatus, Pod } from '../../../gen/stored/core-v1.ts';
import { isReady } from '../../../kinds/core/pod.ts';

/** The state of a pod in few words. */
interface PodSummary {
  /** The phase, or the reason of a container or of the pod: `Running`, `CrashLoopBackOff`. */
  readonly status: string;
  /** Number of ready containers. */
  readonly ready: number;
  /** Restarts of the containers, or of the init containers while these run. */
  readonly restarts: number;
}

/** Summarizes the containers of a pod: of its init containers until all of them have completed. */
export function podSummary(pod: Pod): PodSummary {
  const summary = initSummary(pod) ?? containerSummary(pod);
  if (pod.metadata.deletionTimestamp === undefined) return summary;
  return { ...summary, status: pod.status.reason === 'NodeLost' ? 'Unknown' : 'Terminating' };
}

/** The summary of a pod whose init containers have not completed; undefined for other pods. */
function initSummary({ spec, status }: Pod): PodSummary | undefined {
  let restarts = 0;
  for (const [index, { restartCount, state }] of (status.initContainerStatuses ?? []).entries()) {
    restarts += restartCount;
    if (state.terminated?.exitCode === 0) continue;
    const progress = `${index}/${spec.initContainers?.length ?? 0}`;
    return { status: `Init:${initReason(state) ?? progress}`, ready: 0, restarts };
  }
  return undefined;
}

function initReason({ terminated, waiting }: ContainerState): string | undefined {
  if (terminated) return endOf(terminated);
  return waiting?.reason === 'PodInitializing' ? undefined : waiting?.reason;
}

function containerSummary(pod: Pod): PodSummary {
  const { containerStatuses: containers = [], reason: podReason, phase = '' } = pod.status;
  const running = containers.filter(isRunning);
  const restarts = containers.reduce((sum, { restartCount }) => sum + restartCount, 0);
  const [reason = podReason ?? phase] = containers.flatMap((container) => reasonOf(container) ?? []);
  const partly = reason === 'Completed' && running.length > 0;
  // Some containers have completed and others still run.
  const status = partly ? (isReady(pod) ? 'Running' : 'NotReady') : reason;
  return { status, ready: running.length, restarts };
}

function isRunning(container: ContainerStatus): boolean {
  return container.ready && container.state.running !== undefined && reasonOf(container) === undefined;
}

/** The reason why a container waits or has ended; undefined for others. */
function reasonOf({ state: { waiting, terminated } }: ContainerStatus): string | undefined {
  return waiting?.reason ?? (terminated && endOf(terminated));
}

/** The reason of a container's end, or its signal or exit code. */
function endOf({ reason, signal, exitCode }: ContainerStateTerminated): string {
  return reason ?? (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}
