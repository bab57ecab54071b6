import type { Job, Pod } from '../resources.ts';
import { isActive } from '../../kinds/core/pod.ts';
import { endingFailure } from './pod-failure-policy.ts';

/** The reason of a Job's failure, and the sentence for users. */
interface JobFailure {
  readonly reason: 'BackoffLimitExceeded' | 'DeadlineExceeded' | 'PodFailurePolicy';
  readonly message: string;
}

const limitReached: JobFailure = Object.freeze({
  reason: 'BackoffLimitExceeded',
  message: 'Job has reached the specified backoff limit',
});

const tooLong: JobFailure = Object.freeze({
  reason: 'DeadlineExceeded',
  message: 'Job was active longer than specified deadline',
});

/** The failure of a Job with a number of failed pods; undefined if it may go on. */
export function failureOf(job: Job, pods: readonly Pod[], failed: number, nowMs: number): JobFailure | undefined {
  const { spec, status } = job;
  const message = endingFailure(job, pods);
  if (message !== undefined) return { reason: 'PodFailurePolicy', message };
  const active = pods.filter(isActive);
  const limit = spec.backoffLimit ?? 6;
  if (failed > limit || restartsExceed(spec.template.spec?.restartPolicy, active, limit)) return limitReached;
  const { startTime } = status ?? {};
  if (spec.activeDeadlineSeconds === undefined || startTime === undefined || spec.suspend) return undefined;
  return nowMs >= Date.parse(startTime) + spec.activeDeadlineSeconds * 1000 ? tooLong : undefined;
}

/** Containers that are restarted in place count as failures too. */
function restartsExceed(restartPolicy: string | undefined, active: readonly Pod[], limit: number): boolean {
  if (restartPolicy !== 'OnFailure') return false;
  const statuses = active.flatMap(({ status }) => [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
  ]);
  const restarts = statuses.reduce((sum, { restartCount }) => sum + restartCount, 0);
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

/** The delay after the first failure, which doubles with each. */
const initialDelayMs = 10_000;
const maximumDelayMs = 360_000;

/** The time until new pods may replace failed ones; 0 or less: now. */
export function backOffMs(ended: readonly Pod[], nowMs: number): number {
  const latest = ended.toSorted((a, b) => endOf(b) - endOf(a));
  const success = latest.findIndex(({ status }) => status?.phase === 'Succeeded');
  const failures = success < 0 ? latest.length : success;
  const [last] = latest;
  if (failures === 0 || !last) return 0;
  return endOf(last) + Math.min(initialDelayMs * 2 ** (failures - 1), maximumDelayMs) - nowMs;
}

/** The end of the last container, as far as it is known. */
function endOf({ metadata, status }: Pod): number {
  const times = (status?.containerStatuses ?? []).map(({ state }) => Date.parse(state?.terminated?.finishedAt ?? ''));
  return Math.max(Date.parse(metadata.creationTimestamp), ...times.filter((time) => !Number.isNaN(time)));
}
