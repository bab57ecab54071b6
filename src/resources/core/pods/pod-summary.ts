import type { ContainerState, ContainerStateTerminated, ContainerStatus, Pod } from '../../../gen/stored/core-v1.ts';
import { gatedReason, isReady, isSidecar, podCondition } from '../../../kinds/core/pod.ts';

/** The summary of a pod for its Table row. */
interface PodSummary {
  /** The reason of a container or of the pod, or the phase: `CrashLoopBackOff`, `Running`. */
  readonly status: string;
  /** Number of ready containers. */
  readonly ready: number;
  /** The restarts of the containers, or of the init containers while they run. */
  readonly restarts: number;
  /** The time when a counted container last ended before a restart; '' if none was restarted. */
  readonly lastRestart: string;
}

/** The names of the sidecars. */
export function sidecarsOf({ spec }: Pod): ReadonlySet<string> {
  return new Set((spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name));
}

/** Summarizes the containers of a pod, or its init containers until they have completed. */
export function podSummary(pod: Pod): PodSummary {
  const sidecars = sidecarsOf(pod);
  const init = initSummary(pod, sidecars);
  // Once sidecars have started, a failed one does not make the pod initialize again.
  const isInitialized = sidecars.size > 0 && podCondition(pod, 'Initialized')?.status === 'True';
  const summary = init.status === '' || isInitialized ? containerSummary(pod, sidecars, init.ready) : init;
  if (pod.metadata.deletionTimestamp === undefined) return summary;
  return { ...summary, status: pod.status.reason === 'NodeLost' ? 'Unknown' : 'Terminating' };
}

/**
 * The summary of the init containers; its status is '' when all have completed or are running
 * sidecars.
 */
function initSummary({ spec, status }: Pod, sidecars: ReadonlySet<string>): PodSummary {
  let [restarts, ready] = [0, 0];
  const seen: ContainerStatus[] = [];
  for (const [index, container] of (status.initContainerStatuses ?? []).entries()) {
    const { name, state } = container;
    restarts += container.restartCount;
    seen.push(container);
    if (state.terminated?.exitCode === 0) continue;
    if (sidecars.has(name) && container.started) {
      if (container.ready) ready++;
      continue;
    }
    const progress = `${index}/${spec.initContainers?.length ?? 0}`;
    return { status: `Init:${initReason(state) ?? progress}`, ready, restarts, lastRestart: lastEndOf(seen) };
  }
  return { status: '', ready, restarts, lastRestart: '' };
}

function initReason({ terminated, waiting }: ContainerState): string | undefined {
  if (terminated) return endOf(terminated);
  return waiting?.reason === 'PodInitializing' ? undefined : waiting?.reason;
}

function containerSummary(pod: Pod, sidecars: ReadonlySet<string>, readySidecars: number): PodSummary {
  const { containerStatuses: containers = [], initContainerStatuses = [], reason: podReason, phase = '' } = pod.status;
  const running = containers.filter(isRunning);
  const beside = initContainerStatuses.filter(({ name }) => sidecars.has(name));
  const counted = [...containers, ...beside];
  const restarts = counted.reduce((sum, { restartCount }) => sum + restartCount, 0);
  const isGated = podCondition(pod, 'PodScheduled')?.reason === gatedReason;
  const [reason = isGated ? gatedReason : (podReason ?? phase)] = containers.flatMap(
    (container) => reasonOf(container) ?? [],
  );
  const partly = reason === 'Completed' && running.length > 0;
  // Some containers have completed while others run.
  const status = partly ? (isReady(pod) ? 'Running' : 'NotReady') : reason;
  return { status, ready: running.length + readySidecars, restarts, lastRestart: lastEndOf(counted) };
}

function isRunning(container: ContainerStatus): boolean {
  return container.ready && container.state.running !== undefined && reasonOf(container) === undefined;
}

/** The reason why a container waits or has ended; undefined for running containers. */
function reasonOf({ state: { waiting, terminated } }: ContainerStatus): string | undefined {
  return waiting?.reason ?? (terminated && endOf(terminated));
}

/** The reason of a container's end, or its signal or exit code. */
function endOf({ reason, signal, exitCode }: ContainerStateTerminated): string {
  return reason ?? (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}

/** The latest end of the previous runs of containers; times sort as text. '' if none ended. */
function lastEndOf(containers: readonly ContainerStatus[]): string {
  const ends = containers.map(({ lastState }) => lastState?.terminated?.finishedAt ?? '');
  return ends.toSorted().at(-1) ?? '';
}
