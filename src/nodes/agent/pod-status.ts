import type { PodCondition, PodStatus } from '../../gen/types/core-v1.ts';
import type { Pod } from '../../controllers/resources.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { formatTime } from '../../meta/time.ts';
import { containerStatuses, firstSidecars, isInitialising } from './container-statuses.ts';
import type { PodTarget } from './pod-target.ts';
import { mayRestartAll } from '../../kinds/core/pod.ts';
import { isResized, type ResizeStep, resizeInProgress, resizePending, resizeStep, resourcesIn } from './resize-pod.ts';
import { restartAllOn, staysEnded } from './restart-rules.ts';

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
  /** The minor number of the release of the server. */
  readonly release: number;
  /**
   * The reason why the node does not resize the pod; undefined if it does, or if no resize is
   * needed.
   */
  readonly pending?: ConditionState | undefined;
}

/** A status as a merge patch: null removes a field. */
type PodStatusPatch = { [Field in keyof PodStatus]: PodStatus[Field] | null };

/**
 * The status that a node agent reports of a pod whose containers are in a state. Undefined if it
 * has been reported: the containers of a pod that runs may have been changed by others.
 */
export function podStatus(pod: Pod, target: PodTarget, context: StatusContext): PodStatusPatch | undefined {
  const { status = {} } = pod;
  const { podIp, hostIp, nowMs, isNew, pending, release } = context;
  const resize = resizeStep(pod, pending !== undefined);
  const time = formatTime(nowMs);
  const conditions = conditionsOf(pod, target, time, { ...context, resize });
  const unchanged =
    status.phase === target.phase &&
    sameConditions(status.conditions ?? [], conditions) &&
    sameContainers(pod, target) &&
    hasSeen(pod) &&
    (pending !== undefined || !isResized(pod));
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
    ...newerFields(pod, hostIp),
    ...(pod.spec.resources && release >= podAmountsSince ? resourcesIn(resize, pod.spec, status) : {}),
    ...containerStatuses(pod, target, { startTime, time }, { resize, release }),
  };
}

/**
 * True if the status reflects the present spec. Pods of early releases have no generation, and
 * servers without the feature drop `observedGeneration`.
 */
function hasSeen({ metadata, status }: Pod): boolean {
  const { observedGeneration, hostIPs } = status ?? {};
  const isKept = observedGeneration !== undefined || hostIPs === undefined;
  return metadata.generation === undefined || !isKept || metadata.generation === observedGeneration;
}

/** The fields that only servers know whose pods have a generation. */
function newerFields({ metadata }: Pod, hostIp: string): Pick<PodStatusPatch, 'hostIPs' | 'observedGeneration'> {
  return metadata.generation === undefined
    ? {}
    : { hostIPs: [{ ip: hostIp }], observedGeneration: metadata.generation };
}

/** True if the containers wait, or have ended, for the reason of the target. */
function sameContainers(pod: Pod, { containers }: PodTarget): boolean {
  if (containers.kind === 'running') return true;
  const statuses = pod.status?.containerStatuses ?? [];
  const first = statuses.find((one) => !staysEnded(pod, one)) ?? statuses[0];
  if (containers.kind === 'gone') return first === undefined;
  const { waiting, terminated } = first?.state ?? {};
  return (containers.kind === 'waiting' ? waiting : terminated)?.reason === containers.reason;
}

/** Conditions of others, such as readiness gates, are kept. */
function conditionsOf(
  pod: Pod,
  target: PodTarget,
  time: string,
  { identifiers, pending, release, resize }: StatusContext & { readonly resize: ResizeStep },
): PodCondition[] {
  const { metadata, spec, status } = pod;
  const present = status?.conditions ?? [];
  const open = (spec.readinessGates ?? []).some(
    ({ conditionType }) => !present.some(({ type, status: value }) => type === conditionType && value === 'True'),
  );
  const contained = containersReady(pod, target);
  const ready = contained.status === 'True' && open ? { status: 'False', reason: 'ReadinessGatesNotReady' } : contained;
  const own: PodCondition[] = [
    ...(release >= readyToStartSince ? [{ type: 'PodReadyToStartContainers', status: hasSandbox(target) }] : []),
    { type: 'Initialized', ...initialized(spec, target) },
    { type: 'Ready', ...ready },
    { type: 'ContainersReady', ...contained },
    { type: 'PodScheduled', status: 'True' },
    ...disruption(target, identifiers),
    ...restartingAll(spec, target),
    ...(pending ? [{ type: resizePending, ...pending }] : []),
    ...(resize === 'promised' ? [{ type: resizeInProgress, status: 'True' }] : []),
  ];
  const { generation } = metadata;
  const dated = own.map((condition) => {
    const before = present.find(({ type }) => type === condition.type);
    const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : time;
    const observed = generation === undefined ? {} : { observedGeneration: generation };
    return { ...condition, ...observed, lastTransitionTime };
  });
  const isOwn = (type: string): boolean =>
    type === resizePending || type === resizeInProgress || own.some((each) => each.type === type);
  const others = present.filter(({ type }) => !isOwn(type));
  return [...dated, ...others];
}

/** A condition without its type. */
type ConditionState = Omit<PodCondition, 'type'>;

/** The first minor releases whose nodes report these. */
const readyToStartSince = 29;
const podAmountsSince = 35;

/** The status of PodReadyToStartContainers: True while the pod has a network sandbox. */
function hasSandbox({ phase, containers }: PodTarget): 'True' | 'False' {
  const isOver = phase === 'Succeeded' || phase === 'Failed';
  const isMade = containers.kind !== 'waiting' || containers.reason !== 'ContainerCreating';
  return isMade && !isOver ? 'True' : 'False';
}

/** The condition of pods with a rule that restarts all containers. */
function restartingAll(spec: Pod['spec'], { phase, containers }: PodTarget): PodCondition[] {
  const type = 'AllContainersRestarting';
  if (![...(spec.containers ?? []), ...(spec.initContainers ?? [])].some(mayRestartAll)) return [];
  if (phase === 'Succeeded') return [{ type, status: 'False', reason: 'PodCompleted' }];
  if (phase === 'Failed') return [{ type, status: 'False', reason: 'PodFailed' }];
  if (containers.kind !== 'ended' || !restartAllOn(spec, containers.exitCode)) return [{ type, status: 'False' }];
  const message = 'container exited with restart policy rule';
  return [{ type, status: 'True', reason: 'RestartAllContainersStarted', message }];
}

function containersReady(pod: Pod, { phase, ready }: PodTarget): ConditionState {
  const ended = (pod.status?.containerStatuses ?? []).filter((one) => staysEnded(pod, one));
  if (ready && ended.length === 0) return { status: 'True' };
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  const unready = ready ? ended : (pod.spec.containers ?? []);
  const message = `containers with unready status: [${unready.map(({ name }) => name).join(' ')}]`;
  return { status: 'False', reason: 'ContainersNotReady', message };
}

function initialized({ initContainers = [] }: Pod['spec'], { containers }: PodTarget): ConditionState {
  const waiting = isInitialising(containers) ? initContainers.slice(firstSidecars(initContainers)) : [];
  if (waiting.length === 0) return { status: 'True' };
  const message = `containers with incomplete status: [${waiting.map(({ name }) => name).join(' ')}]`;
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
