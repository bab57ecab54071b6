import type { Container, ContainerStatus, PodCondition, PodStatus } from '../../gen/types/core-v1.ts';
import type { Pod } from '../../controllers/resources.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { formatTime } from '../../meta/time.ts';
import { lastEndOf } from './pod-run.ts';
import { containerState, type PodTarget } from './pod-target.ts';

/** The addresses of a pod and its node. */
interface PodAddresses {
  readonly podIp: string;
  readonly hostIp: string;
}

/** The place where the pod runs, the time, and the names of the node agent. */
interface StatusContext extends PodAddresses {
  readonly nowMs: number;
  readonly identifiers: Identifiers;
  /** True if the state is a new one, although it may look like the present one. */
  readonly isNew: boolean;
}

/** A status as a merge patch: null removes a field. */
type PodStatusPatch = { [Field in keyof PodStatus]: PodStatus[Field] | null };

/**
 * The status that a node agent reports of a pod whose containers are in a state. Undefined if it
 * has been reported: the containers of a pod that runs may have been changed by others.
 */
export function podStatus(pod: Pod, target: PodTarget, context: StatusContext): PodStatusPatch | undefined {
  const { status = {} } = pod;
  const { podIp, hostIp, nowMs, identifiers, isNew } = context;
  const time = formatTime(nowMs);
  const conditions = conditionsOf(pod, target, time, identifiers);
  const unchanged =
    status.phase === target.phase && sameConditions(status.conditions ?? [], conditions) && sameContainers(pod, target);
  if (unchanged && !isNew) return undefined;
  const startTime = status.startTime ?? time;
  return {
    phase: target.phase,
    conditions,
    hostIP: hostIp,
    podIP: status.podIP || podIp,
    podIPs: status.podIPs ?? [{ ip: podIp }],
    startTime,
    ...(target.reason ? { reason: target.reason } : {}),
    ...(target.message ? { message: target.message } : {}),
    ...containerStatuses(pod, target, { startTime, time }),
  };
}

/** True if the containers wait, or have ended, for the reason of the target. */
function sameContainers({ status }: Pod, { containers }: PodTarget): boolean {
  if (containers.kind === 'running') return true;
  const [first] = status?.containerStatuses ?? [];
  if (containers.kind === 'gone') return first === undefined;
  const { waiting, terminated } = first?.state ?? {};
  return (containers.kind === 'waiting' ? waiting : terminated)?.reason === containers.reason;
}

function containerStatuses(
  { spec, status }: Pod,
  { containers, ready }: PodTarget,
  times: { readonly startTime: string; readonly time: string },
): Pick<PodStatusPatch, 'containerStatuses' | 'initContainerStatuses'> {
  if (containers.kind === 'gone') return { containerStatuses: null, initContainerStatuses: null };
  const isInitialising = containers.kind === 'waiting' && containers.reason === 'PodInitializing';
  const { startTime, time } = times;
  const completed = { terminated: { exitCode: 0, reason: 'Completed', startedAt: startTime, finishedAt: time } };
  const initState = isInitialising ? { waiting: { reason: 'PodInitializing' } } : completed;
  const of = (container: Container): ContainerStatus => {
    const before = status?.containerStatuses?.find(({ name }) => name === container.name);
    return { ...identityOf(container), ...stateOf(containers, before, times), ready };
  };
  const ofInit = (container: Container): ContainerStatus => {
    const before = status?.initContainerStatuses?.find(({ name }) => name === container.name);
    const hasEnded = before?.state?.terminated !== undefined && !isInitialising;
    const state = hasEnded ? before.state : initState;
    return { ...identityOf(container), ready: !isInitialising, restartCount: 0, started: false, state };
  };
  return {
    containerStatuses: (spec.containers ?? []).map(of),
    ...(spec.initContainers?.length ? { initContainerStatuses: spec.initContainers.map(ofInit) } : {}),
  };
}

function identityOf({ name, image }: Container): Pick<ContainerStatus, 'name' | 'image' | 'imageID'> {
  return { name, image, imageID: '' };
}

/** The state of a container; one that has ended and runs again was restarted. */
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

/** Conditions of others, such as readiness gates, are kept. */
function conditionsOf(
  { spec, status }: Pod,
  target: PodTarget,
  time: string,
  identifiers: Identifiers,
): PodCondition[] {
  const present = status?.conditions ?? [];
  const open = (spec.readinessGates ?? []).some(
    ({ conditionType }) => !present.some(({ type, status: value }) => type === conditionType && value === 'True'),
  );
  const contained = target.ready ? { status: 'True' } : unready(spec, target);
  const ready = target.ready && open ? { status: 'False', reason: 'ReadinessGatesNotReady' } : contained;
  const own: PodCondition[] = [
    { type: 'Initialized', ...initialized(spec, target) },
    { type: 'Ready', ...ready },
    { type: 'ContainersReady', ...contained },
    { type: 'PodScheduled', status: 'True' },
    ...disruption(target, identifiers),
  ];
  const dated = own.map((condition) => {
    const before = present.find(({ type }) => type === condition.type);
    const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : time;
    return { ...condition, lastTransitionTime };
  });
  return [...dated, ...present.filter(({ type }) => !own.some((condition) => condition.type === type))];
}

/** A condition without its type. */
type ConditionState = Omit<PodCondition, 'type'>;

function unready({ containers }: Pod['spec'], { phase }: PodTarget): ConditionState {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  const message = `containers with unready status: [${containers.map(({ name }) => name).join(' ')}]`;
  return { status: 'False', reason: 'ContainersNotReady', message };
}

function initialized({ initContainers = [] }: Pod['spec'], { containers }: PodTarget): ConditionState {
  if (containers.kind !== 'waiting' || containers.reason !== 'PodInitializing') return { status: 'True' };
  const message = `containers with incomplete status: [${initContainers.map(({ name }) => name).join(' ')}]`;
  return { status: 'False', reason: 'ContainersNotInitialized', message };
}

/** The condition of a pod that its node has ended. */
function disruption({ containers, message }: PodTarget, { nodeAgent }: Identifiers): PodCondition[] {
  if (containers.kind !== 'gone') return [];
  const reason = `TerminationBy${nodeAgent[0]?.toUpperCase()}${nodeAgent.slice(1)}`;
  return [{ type: 'DisruptionTarget', status: 'True', reason, ...(message ? { message } : {}) }];
}

function sameConditions(before: readonly PodCondition[], after: readonly PodCondition[]): boolean {
  return summaryOf(before) === summaryOf(after);
}

function summaryOf(conditions: readonly PodCondition[]): string {
  const parts = conditions.map(({ type, status, reason = '' }) => `${type}=${status}${reason}`);
  return parts.toSorted().join();
}
