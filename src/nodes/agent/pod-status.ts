import type { Container, ContainerStatus, PodCondition, PodStatus } from '../../gen/types/core-v1.ts';
import { hasEnded } from '../../kinds/core/pod.ts';
import type { Pod } from '../../controllers/resources.ts';
import { formatTime } from '../../meta/time.ts';
import type { PodBehaviour, PodOutcome } from './pod-behaviour.ts';

/** The addresses of a pod and its node. */
interface PodAddresses {
  readonly podIp: string;
  readonly hostIp: string;
}

const phases: Readonly<Record<PodOutcome, string>> = {
  Running: 'Running',
  NotReady: 'Running',
  Succeeded: 'Succeeded',
  Failed: 'Failed',
};

/**
 * The status that a node agent reports of a pod, as if its containers ran. Undefined if it has
 * been reported; a pod that has ended does not change any more.
 */
export function podStatus(
  pod: Pod,
  { outcome, message }: PodBehaviour,
  { podIp, hostIp }: PodAddresses,
  nowMs: number,
): PodStatus | undefined {
  const { status = {} } = pod;
  const time = formatTime(nowMs);
  const isReady = outcome === 'Running';
  const phase = phases[outcome];
  const conditions = conditionsOf(pod, outcome, time);
  const unchanged = status.phase === phase && sameConditions(status.conditions ?? [], conditions);
  if (hasEnded(pod) || unchanged) return undefined;
  const startTime = status.startTime ?? time;
  return {
    phase,
    conditions,
    hostIP: hostIp,
    podIP: status.podIP || podIp,
    podIPs: status.podIPs ?? [{ ip: podIp }],
    startTime,
    ...(outcome === 'Failed' && message ? { message } : {}),
    ...containerStatuses(pod, outcome, isReady, startTime, time),
  };
}

function containerStatuses({ spec }: Pod, outcome: PodOutcome, isReady: boolean, startedAt: string, time: string) {
  const ended = { exitCode: outcome === 'Failed' ? 1 : 0, startedAt, finishedAt: time };
  const completed = { terminated: { ...ended, exitCode: 0, reason: 'Completed' } };
  const state = {
    Running: { running: { startedAt } },
    NotReady: { running: { startedAt } },
    Succeeded: completed,
    Failed: { terminated: { ...ended, reason: 'Error' } },
  }[outcome];
  const statusOf =
    (ready: boolean, of: ContainerStatus['state']) =>
    (container: Container): ContainerStatus => ({
      name: container.name,
      image: container.image ?? '',
      imageID: '',
      ready,
      restartCount: 0,
      started: outcome === 'Running' || outcome === 'NotReady',
      state: of,
    });
  return {
    containerStatuses: (spec.containers ?? []).map(statusOf(isReady, state)),
    ...(spec.initContainers?.length
      ? { initContainerStatuses: spec.initContainers.map(statusOf(true, completed)) }
      : {}),
  };
}

/** Conditions of others, such as readiness gates, are kept. */
function conditionsOf({ spec, status }: Pod, outcome: PodOutcome, time: string): PodCondition[] {
  const present = status?.conditions ?? [];
  const open = (spec.readinessGates ?? []).some(
    ({ conditionType }) => !present.some(({ type, status: value }) => type === conditionType && value === 'True'),
  );
  const unready =
    outcome === 'Succeeded'
      ? { status: 'False', reason: 'PodCompleted' }
      : { status: 'False', reason: 'ContainersNotReady', message: 'containers are not ready' };
  const contained = outcome === 'Running' ? { status: 'True' } : unready;
  const ready = outcome === 'Running' && open ? { status: 'False', reason: 'ReadinessGatesNotReady' } : contained;
  const own: PodCondition[] = [
    { type: 'Initialized', status: 'True' },
    { type: 'Ready', ...ready },
    { type: 'ContainersReady', ...contained },
    { type: 'PodScheduled', status: 'True' },
  ];
  const dated = own.map((condition) => {
    const before = present.find(({ type }) => type === condition.type);
    const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : time;
    return { ...condition, lastTransitionTime };
  });
  return [...dated, ...present.filter(({ type }) => !own.some((condition) => condition.type === type))];
}

function sameConditions(before: readonly PodCondition[], after: readonly PodCondition[]): boolean {
  return summaryOf(before) === summaryOf(after);
}

function summaryOf(conditions: readonly PodCondition[]): string {
  const parts = conditions.map(({ type, status, reason = '' }) => `${type}=${status}${reason}`);
  return parts.toSorted().join();
}
