import type { EventDescription } from '../../client/events/event-recorder.ts';
import type { Pod } from '../../controllers/resources.ts';
import { hasEnded } from '../../kinds/core/pod.ts';
import { formatDuration } from '../../meta/duration.ts';
import { attemptsAfter, restartDelayMs } from './back-off.ts';
import type { PodBehaviour, PodOutcome } from './pod-behaviour.ts';
import { type PodRun, runOf } from './pod-run.ts';
import type { ContainerTarget, PodTarget } from './pod-target.ts';
import { isRestartingAll, restartsAny } from './restart-rules.ts';

/** The next step of a pod. */
interface PodPlan {
  /** The state that the pod should have now; undefined if it does not change any more. */
  readonly target?: PodTarget;
  /** True if the state is a new one, although it may look like the present one. */
  readonly isNew?: boolean;
  /** The time until the next step, if time alone leads to it. */
  readonly waitMs?: number;
  /** Recorded if the state is reported. */
  readonly events?: readonly EventDescription[];
}

/** The present time, and the exact times of texts in the status of the pod, by their writes. */
interface PodTimes {
  readonly nowMs: number;
  readonly exactMs: (time: string | undefined, write: 'first' | 'last') => number;
}

/** A pod and all that its next step follows from. */
interface PodSituation extends PodTimes {
  readonly pod: Pod;
  readonly behaviour: PodBehaviour;
  readonly run: PodRun;
}

/** The containers are seen as failed for at most this time, before the back-off is. */
const longestFailingMs = 1_000;

/**
 * Plans the next step of a pod that a node runs: the first rule that says something counts. The
 * plan follows from the status and the times in it, so that another process can go on with it.
 */
export function planPod(pod: Pod, behaviour: PodBehaviour, times: PodTimes): PodPlan {
  if (hasEnded(pod) || behaviour.outcome === 'Staged') return {};
  const situation = { ...times, pod, behaviour, run: runOf(pod) };
  return keepsWaiting(situation) ?? starts(situation) ?? crashes(situation) ?? ends(situation) ?? runs(situation);
}

const waitingReasons: Partial<Readonly<Record<PodOutcome, string>>> = {
  ContainerCreating: 'ContainerCreating',
  CreateContainerConfigError: 'CreateContainerConfigError',
};

/** Pods whose containers cannot start. */
function keepsWaiting(situation: PodSituation): PodPlan | undefined {
  const { behaviour, pod } = situation;
  const { outcome, message } = behaviour;
  // A pod that has run is never pending again.
  const phase = pod.status?.phase === 'Running' ? 'Running' : 'Pending';
  const reason = waitingReasons[outcome];
  if (reason !== undefined) {
    const containers: ContainerTarget = { kind: 'waiting', reason, ...(message ? { message } : {}) };
    return { target: { phase, containers, ready: false } };
  }
  if (outcome !== 'ErrImagePull' && outcome !== 'ImagePullBackOff') return undefined;
  const { nowMs, exactMs } = situation;
  const { startTime } = pod.status ?? {};
  const elapsedMs = startTime === undefined ? 0 : nowMs - exactMs(startTime, 'first');
  const { failing, waitMs } = attemptsAfter(elapsedMs, behaviour.backOffMs, failingMsOf(behaviour));
  const { containers, events } = failing ? failedPull(situation) : pullBackOff(situation);
  return { target: { phase, containers, ready: false }, waitMs, events };
}

interface PullState {
  readonly containers: ContainerTarget;
  readonly events: readonly EventDescription[];
}

function failedPull({ pod, behaviour }: PodSituation): PullState {
  const image = JSON.stringify(imageOf(pod));
  const found = `rpc error: code = NotFound desc = failed to pull and unpack image ${image}: not found`;
  const message = behaviour.message || found;
  return {
    containers: { kind: 'waiting', reason: 'ErrImagePull', message },
    events: [
      { type: 'Warning', reason: 'Failed', message: `Failed to pull image ${image}: ${message}` },
      { type: 'Warning', reason: 'Failed', message: 'Error: ErrImagePull' },
    ],
  };
}

function pullBackOff({ pod }: PodSituation): PullState {
  const message = `Back-off pulling image ${JSON.stringify(imageOf(pod))}`;
  return {
    containers: { kind: 'waiting', reason: 'ImagePullBackOff', message },
    events: [
      { type: 'Normal', reason: 'BackOff', message },
      { type: 'Warning', reason: 'Failed', message: 'Error: ImagePullBackOff' },
    ],
  };
}

function imageOf({ spec }: Pod): string {
  return spec.containers?.[0]?.image ?? '';
}

/** Pods whose containers start later. */
function starts({ pod, behaviour, run, nowMs, exactMs }: PodSituation): PodPlan | undefined {
  if (behaviour.startMs === 0 || run.state !== 'new') return undefined;
  const { startTime } = pod.status ?? {};
  const waitMs = startTime === undefined ? behaviour.startMs : exactMs(startTime, 'first') + behaviour.startMs - nowMs;
  if (waitMs <= 0) return undefined;
  const reason = pod.spec.initContainers?.length ? 'PodInitializing' : 'ContainerCreating';
  return { target: { phase: 'Pending', containers: { kind: 'waiting', reason }, ready: false }, waitMs };
}

/** Pods whose containers end with an error and are restarted. */
function crashes(situation: PodSituation): PodPlan | undefined {
  const { run, behaviour } = situation;
  return run.restarts < behaviour.restarts ? crashSteps[run.state](situation) : undefined;
}

const crashSteps: Readonly<Record<PodRun['state'], (situation: PodSituation) => PodPlan>> = {
  new: (situation) => running(situation, situation.behaviour.runMs),
  running(situation) {
    const leftMs = situation.behaviour.runMs - elapsedMsOf(situation);
    return leftMs > 0 ? running(situation, leftMs) : crash(situation);
  },
  ended(situation) {
    const failingMs = failingMsOf(situation.behaviour) - elapsedMsOf(situation);
    if (failingMs > 0) return { target: crashed(situation), waitMs: failingMs };
    // A restart of all containers has no back-off.
    if (isRestartingAll(situation.pod)) return { ...running(situation, situation.behaviour.runMs), isNew: true };
    return backOff(situation);
  },
  'backing-off': backOff,
};

/** The end of a run with an error; the end of the pod, if it is not restarted. */
function crash(situation: PodSituation): PodPlan {
  const { pod, behaviour } = situation;
  const target = crashed(situation);
  if (!restartsAny(pod.spec, behaviour.exitCode)) return { target: { ...target, phase: 'Failed' } };
  return { target, isNew: true, waitMs: failingMsOf(behaviour) };
}

function crashed({ behaviour: { outcome, exitCode, message } }: PodSituation): PodTarget {
  const reason = outcome === 'OOMKilled' ? 'OOMKilled' : 'Error';
  const containers: ContainerTarget = { kind: 'ended', exitCode, reason, ...(message ? { message } : {}) };
  return { phase: 'Running', containers, ready: false };
}

/** The time until a restart, and the restart after it. */
function backOff(situation: PodSituation): PodPlan {
  const { pod, run, behaviour } = situation;
  const delayMs = restartDelayMs(run.restarts + 1, behaviour.backOffMs, behaviour.runMs);
  const waitMs = delayMs - elapsedMsOf(situation);
  if (waitMs <= 0) return { ...running(situation, behaviour.runMs), isNew: true };
  const { name, namespace = '', uid } = pod.metadata;
  const container = pod.spec.containers?.[0]?.name ?? '';
  const of = `restarting failed container=${container} pod=${name}_${namespace}(${uid})`;
  const message = `back-off ${formatDuration(BigInt(Math.round(delayMs)) * 1_000_000n)} ${of}`;
  const event = `Back-off restarting failed container ${container} in pod ${name}_${namespace}(${uid})`;
  return {
    target: { phase: 'Running', containers: { kind: 'waiting', reason: 'CrashLoopBackOff', message }, ready: false },
    waitMs,
    events: [{ type: 'Warning', reason: 'BackOff', message: event }],
  };
}

/** The state of a pod that has ended, and its Events. */
type EndOfPod = Pick<PodPlan, 'target' | 'events'>;

const endsOfPods: Partial<Readonly<Record<PodOutcome, (behaviour: PodBehaviour) => EndOfPod>>> = {
  Succeeded: () => ({
    target: { phase: 'Succeeded', containers: { kind: 'ended', exitCode: 0, reason: 'Completed' }, ready: false },
  }),
  Failed: ({ message, exitCode }) => ({
    target: {
      phase: 'Failed',
      containers: { kind: 'ended', exitCode, reason: 'Error' },
      ready: false,
      ...(message ? { message } : {}),
    },
  }),
  Evicted({ message: asked }) {
    const message = asked || 'The node was low on resource: memory. ';
    return {
      target: { phase: 'Failed', containers: { kind: 'gone' }, ready: false, reason: 'Evicted', message },
      events: [{ type: 'Warning', reason: 'Evicted', message }],
    };
  },
};

/** Pods that end, perhaps after a run. */
function ends(situation: PodSituation): PodPlan | undefined {
  const { behaviour, run } = situation;
  const end = endsOfPods[behaviour.outcome];
  if (!end) return undefined;
  const leftMs = behaviour.runMs - (run.state === 'running' ? elapsedMsOf(situation) : 0);
  return leftMs > 0 ? running(situation, leftMs) : end(behaviour);
}

/** All other pods. */
function runs(situation: PodSituation): PodPlan {
  const { behaviour, run } = situation;
  const plan = running(situation, Number.POSITIVE_INFINITY);
  // A container in back-off has the conditions of a container that is not ready.
  const restarts = behaviour.outcome === 'NotReady' && (run.state === 'ended' || run.state === 'backing-off');
  return restarts ? { ...plan, isNew: true } : plan;
}

/** Containers that run, for a time, and are ready after another one. */
function running(situation: PodSituation, leftMs: number): PodPlan {
  const { behaviour, run } = situation;
  const unreadyMs = behaviour.readyMs - (run.state === 'running' ? elapsedMsOf(situation) : 0);
  const ready = behaviour.outcome !== 'NotReady' && unreadyMs <= 0;
  const waitMs = unreadyMs > 0 ? Math.min(unreadyMs, leftMs) : leftMs;
  return {
    target: { phase: 'Running', containers: { kind: 'running' }, ready },
    ...(Number.isFinite(waitMs) ? { waitMs } : {}),
  };
}

/** The time since the containers started, or ended. */
function elapsedMsOf({ run, nowMs, exactMs }: PodSituation): number {
  return Math.max(0, nowMs - exactMs(run.since, 'last'));
}

/** The containers are seen as failed for a part of a short back-off. */
function failingMsOf({ backOffMs }: PodBehaviour): number {
  return Math.min(longestFailingMs, backOffMs);
}
