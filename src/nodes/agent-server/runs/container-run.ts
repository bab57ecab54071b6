import type { ContainerStatus } from '../../../gen/types/core-v1.ts';
import type { Pod } from '../../../controllers/resources.ts';
import { containersOf } from './containers-of.ts';
import { AgentError } from './agent-error.ts';

/** One run of a container: from its start to its end, if it has ended. */
export interface ContainerRun {
  readonly pod: Pod;
  readonly container: string;
  readonly image: string;
  /** Restarts before this run. */
  readonly restarts: number;
  readonly startedMs: number;
  /** The end of the run; undefined while it lasts. */
  readonly endedMs: number | undefined;
  readonly exitCode: number;
}

/** The present run of a container, by the status of its pod. Throws AgentError if it waits. */
export function currentRun(pod: Pod, container: string): ContainerRun {
  const status = statusOf(pod, container);
  const { running, terminated, waiting } = status?.state ?? {};
  const shared = { pod, container, image: imageOf(pod, container), restarts: status?.restartCount ?? 0 };
  if (running) return { ...shared, startedMs: timeOf(running.startedAt, pod), endedMs: undefined, exitCode: 0 };
  if (terminated) return { ...shared, ...endOf(terminated, pod) };
  // A container that has crashed and waits for its restart still has the log of its last run.
  const last = status?.lastState?.terminated;
  if (last) return { ...shared, restarts: Math.max(0, shared.restarts - 1), ...endOf(last, pod) };
  const reason = waiting?.reason ?? 'ContainerCreating';
  throw new AgentError(
    400,
    `container ${quoted(container)} in pod ${quoted(pod.metadata.name)} is waiting to start: ${reason}`,
  );
}

/** The run before the last restart of a container. Throws AgentError if there was none. */
export function previousRun(pod: Pod, container: string): ContainerRun {
  const status = statusOf(pod, container);
  const last = status?.lastState?.terminated;
  const restarts = status?.restartCount ?? 0;
  if (!last && restarts === 0) {
    const message = `previous terminated container ${quoted(container)} in pod ${quoted(pod.metadata.name)} not found`;
    throw new AgentError(400, message);
  }
  const now = timeOf(status?.state?.running?.startedAt, pod);
  const end = last ? endOf(last, pod) : { startedMs: timeOf(pod.status?.startTime, pod), endedMs: now, exitCode: 1 };
  return { pod, container, image: imageOf(pod, container), restarts: Math.max(0, restarts - 1), ...end };
}

/** The run of a container that programs can be run in. Throws AgentError if it does not run. */
export function openRun(pod: Pod, container: string): ContainerRun {
  const run = currentRun(pod, container);
  if (run.endedMs === undefined) return run;
  throw new AgentError(500, `container ${quoted(container)} of pod ${quoted(pod.metadata.name)} is not running`);
}

function statusOf({ status = {} }: Pod, container: string): ContainerStatus | undefined {
  const all = [status.containerStatuses, status.initContainerStatuses, status.ephemeralContainerStatuses];
  return all.flatMap((statuses) => statuses ?? []).find(({ name }) => name === container);
}

function imageOf(pod: Pod, container: string): string {
  return containersOf(pod).find(({ name }) => name === container)?.image ?? '';
}

function endOf(
  terminated: { readonly startedAt?: string; readonly finishedAt?: string; readonly exitCode?: number },
  pod: Pod,
) {
  const { startedAt, finishedAt, exitCode = 0 } = terminated;
  const startedMs = timeOf(startedAt, pod);
  return { startedMs, endedMs: Math.max(startedMs, timeOf(finishedAt ?? startedAt, pod)), exitCode };
}

function timeOf(time: string | undefined, { metadata }: Pod): number {
  return Date.parse(time ?? metadata.creationTimestamp ?? '') || 0;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
