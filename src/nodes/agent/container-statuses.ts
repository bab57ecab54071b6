import type { Container, ContainerStatus, PodStatus } from '../../gen/types/core-v1.ts';
import type { Pod } from '../../controllers/resources.ts';
import { isSidecar } from '../../kinds/core/pod.ts';
import { lastEndOf } from './pod-run.ts';
import { type ResizeStep, resourcesIn, restartsToResize } from './resize-pod.ts';
import { isRestartingAll, staysEnded } from './restart-rules.ts';
import { type ContainerTarget, containerState, type PodTarget } from './pod-target.ts';

type List = 'containerStatuses' | 'initContainerStatuses';

/** The step of a resize, and the minor number of the server's release. */
interface StatusFacts {
  readonly resize: ResizeStep;
  readonly release: number;
}

interface StatusTimes {
  readonly startTime: string;
  readonly time: string;
}

/** The container states of a pod, as a merge patch. */
export function containerStatuses(
  pod: Pod,
  target: PodTarget,
  times: StatusTimes,
  { resize, release }: StatusFacts,
): { [Field in List]?: PodStatus[Field] | null } {
  const { spec, status } = pod;
  const { containers, ready } = target;
  if (containers.kind === 'gone') return { containerStatuses: null, initContainerStatuses: null };
  const of = (container: Container): ContainerStatus => {
    const before = status?.containerStatuses?.find(({ name }) => name === container.name);
    const own = { ...identityOf(container, before, pod, { resize, release }), ready };
    if (before && staysEnded(pod, before)) return { ...before, ...own, ready: false };
    if (resize !== 'given' || !restartsToResize(container, before)) {
      return { ...own, ...stateOf(containers, before, times) };
    }
    return { ...own, ...restarted(before, times) };
  };
  const runAgain = containers.kind === 'running' && isRestartingAll(pod);
  const initContainers = spec.initContainers ?? [];
  const started = isInitialising(containers) ? firstSidecars(initContainers) : initContainers.length;
  const ofInit = (container: Container, index: number): ContainerStatus => {
    const before = status?.initContainerStatuses?.find(({ name }) => name === container.name);
    const own = identityOf(container, before, pod, { resize, release });
    if (resize === 'given' && isSidecar(container) && restartsToResize(container, before)) {
      return { ...own, ready: true, ...restarted(before, times) };
    }
    const known = runAgain ? undefined : before;
    const state = initStateOf(container, { before: known, target, times, isStarted: index < started });
    const restartCount = (before?.restartCount ?? 0) + (runAgain ? 1 : 0);
    const last = runAgain && before?.state?.terminated;
    return { ...own, restartCount, ...state, ...(last ? { lastState: { terminated: last } } : {}) };
  };
  return {
    containerStatuses: (spec.containers ?? []).map(of),
    ...(initContainers.length > 0 ? { initContainerStatuses: initContainers.map(ofInit) } : {}),
  };
}

/** True while the init containers run. */
export function isInitialising(containers: ContainerTarget): boolean {
  return containers.kind === 'waiting' && containers.reason === 'PodInitializing';
}

/** The number of sidecars before the first init container that must complete. */
export function firstSidecars(initContainers: readonly Container[]): number {
  const first = initContainers.findIndex((container) => !isSidecar(container));
  return first < 0 ? initContainers.length : first;
}

interface InitState {
  readonly before: ContainerStatus | undefined;
  readonly target: PodTarget;
  readonly times: StatusTimes;
  readonly isStarted: boolean;
}

type OwnState = Pick<ContainerStatus, 'state' | 'ready' | 'started'>;

/** The state of an init container. A sidecar runs until the pod has ended. */
function initStateOf(container: Container, { before, target, times, isStarted }: InitState): OwnState {
  if (!isStarted) return { ready: false, started: false, state: { waiting: { reason: 'PodInitializing' } } };
  const { startTime, time } = times;
  const startedAt = before?.state?.running?.startedAt ?? startTime;
  const isOver = target.phase === 'Succeeded' || target.phase === 'Failed';
  if (isSidecar(container) && !isOver) return { ready: true, started: true, state: { running: { startedAt } } };
  const completed = { terminated: { exitCode: 0, reason: 'Completed', startedAt, finishedAt: time } };
  const state = before?.state?.terminated ? before.state : completed;
  return { ready: !isSidecar(container), started: false, state };
}

type Identity = Pick<
  ContainerStatus,
  'name' | 'image' | 'imageID' | 'resources' | 'allocatedResources' | 'volumeMounts' | 'stopSignal'
>;

/** The first minor release whose nodes report volume mounts. */
const mountsSince = 31;

/** The volume mounts of a container in its status. */
function mountsOf({ volumeMounts = [] }: Container): Pick<ContainerStatus, 'volumeMounts'> {
  if (volumeMounts.length === 0) return {};
  return {
    volumeMounts: volumeMounts.map(({ name, mountPath, readOnly, recursiveReadOnly }) => {
      // Recursive read-only mounts are supported on stand-in nodes.
      const isWhole = recursiveReadOnly === 'Enabled' || recursiveReadOnly === 'IfPossible';
      const depth = { readOnly: true, recursiveReadOnly: isWhole ? 'Enabled' : 'Disabled' };
      return { name, mountPath, ...(readOnly ? depth : {}) };
    }),
  };
}

/** The identity of a container, and its allocated resources. */
function identityOf(
  container: Container,
  before: ContainerStatus | undefined,
  { metadata }: Pod,
  { resize, release }: StatusFacts,
): Identity {
  const { name, image, lifecycle } = container;
  const { stopSignal } = lifecycle ?? {};
  const identity = {
    name,
    image,
    imageID: '',
    ...(release >= mountsSince ? mountsOf(container) : {}),
    ...(stopSignal === undefined ? {} : { stopSignal }),
  };
  // Servers that resize pods in place set a generation.
  if (metadata.generation === undefined) return identity;
  const { resources, allocatedResources } = resourcesIn(resize, container, before);
  return { ...identity, resources, ...(allocatedResources ? { allocatedResources } : {}) };
}

/** The state of a container. One that had ended and runs now counts as restarted. */
function stateOf(
  target: Exclude<PodTarget['containers'], { kind: 'gone' }>,
  before: ContainerStatus | undefined,
  { startTime, time }: { readonly startTime: string; readonly time: string },
): Pick<ContainerStatus, 'state' | 'lastState' | 'restartCount' | 'started'> {
  const lastEnd = target.kind === 'ended' ? undefined : lastEndOf(before);
  const isRestart = lastEnd !== undefined && target.kind === 'running';
  const running = before?.state?.running?.startedAt;
  const startedAt =
    target.kind === 'ended' ? (running ?? before?.state?.terminated?.startedAt ?? startTime) : (running ?? time);
  const lastState = lastEnd ? { terminated: lastEnd } : before?.lastState;
  return {
    restartCount: (before?.restartCount ?? 0) + (isRestart ? 1 : 0),
    started: target.kind === 'running',
    state: containerState(target, { startedAt, time }),
    ...(lastState ? { lastState } : {}),
  };
}

/** The state of a container that was restarted in place. */
function restarted(before: ContainerStatus | undefined, { startTime, time }: StatusTimes) {
  const startedAt = before?.state?.running?.startedAt ?? startTime;
  return {
    restartCount: (before?.restartCount ?? 0) + 1,
    started: true,
    state: { running: { startedAt: time } },
    lastState: { terminated: { exitCode: 0, reason: 'Completed', startedAt, finishedAt: time } },
  };
}
