import { isActive } from '../../kinds/core/pod.ts';
import { conditionOf } from '../../kinds/meta/condition-of.ts';
import type { Job, Pod } from '../resources.ts';
import { endingFailure } from './pod-failure-policy.ts';
import type { JobCounts } from './track-pods.ts';
import type { SuccessPolicyRule } from '../../gen/types/batch-v1.ts';
import { parseIndexes } from './completed-indexes.ts';

/** How a Job ends. */
export interface JobOutcome {
  readonly type: 'Complete' | 'Failed';
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

/** The condition that announces how a Job will end, until its last pod has ended. */
export const announcements = Object.freeze({ Complete: 'SuccessCriteriaMet', Failed: 'FailureTarget' } as const);

/**
 * True if the Job announces its end. Servers that know the announcement set a policy of
 * replacement.
 */
export function announcesEnd({ spec }: Job): boolean {
  return spec.podReplacementPolicy !== undefined;
}

/** The outcome of a Job; undefined while it continues. */
export function outcomeOf(job: Job, pods: readonly Pod[], counts: JobCounts, nowMs: number): JobOutcome | undefined {
  return (
    announced(job) ??
    failureOf(job, pods, counts.failed, nowMs) ??
    indexOutcome(job, counts) ??
    completion(job, pods, counts)
  );
}

function announced({ status }: Job): JobOutcome | undefined {
  for (const type of ['Failed', 'Complete'] as const) {
    const { status: value, reason, message } = conditionOf(status?.conditions, announcements[type]) ?? {};
    if (value === 'True') return { type, reason, message };
  }
  return undefined;
}

/** The outcome by indexes: too many have failed, the success policy is met, or all have ended. */
function indexOutcome(job: Job, { indexes, failedIndexes: failed = none }: JobCounts): JobOutcome | undefined {
  const { maxFailedIndexes = Number.POSITIVE_INFINITY, completions = 0 } = job.spec;
  if (failed.size > maxFailedIndexes) return tooManyIndexes;
  const rule = satisfiedRule(job, indexes);
  if (rule !== undefined) return { type: 'Complete', reason: 'SuccessPolicy', message: rule };
  return failed.size > 0 && failed.size + indexes.size >= completions ? someIndexes : undefined;
}

const none: ReadonlySet<number> = new Set();

/**
 * The completion of a Job. Without `completions` one pod must have succeeded, and all have ended.
 */
function completion(job: Job, pods: readonly Pod[], { succeeded }: JobCounts): JobOutcome | undefined {
  const { completions } = job.spec;
  const isComplete = completions === undefined ? succeeded > 0 && !pods.some(isActive) : succeeded >= completions;
  if (!isComplete) return undefined;
  return announcesEnd(job) ? allReached : { type: 'Complete' };
}

function outcome(type: JobOutcome['type'], reason: string, message: string): JobOutcome {
  return Object.freeze({ type, reason, message });
}

const allReached = outcome('Complete', 'CompletionsReached', 'Reached expected number of succeeded pods');

const tooManyIndexes = outcome(
  'Failed',
  'MaxFailedIndexesExceeded',
  'Job has exceeded the specified maximal number of failed indexes',
);

const someIndexes = outcome('Failed', 'FailedIndexes', 'Job has failed indexes');

const limitReached = outcome('Failed', 'BackoffLimitExceeded', 'Job has reached the specified backoff limit');

const tooLong = outcome('Failed', 'DeadlineExceeded', 'Job was active longer than specified deadline');

/** The failure of a Job with a number of failed pods; undefined if the Job may continue. */
function failureOf(job: Job, pods: readonly Pod[], failed: number, nowMs: number): JobOutcome | undefined {
  const { spec, status } = job;
  const message = endingFailure(job, pods);
  if (message !== undefined) return { type: 'Failed', reason: 'PodFailurePolicy', message };
  const active = pods.filter(isActive);
  const limit = spec.backoffLimit ?? 6;
  if (failed > limit || restartsExceed(spec.template.spec?.restartPolicy, active, limit)) return limitReached;
  const { startTime } = status ?? {};
  if (spec.activeDeadlineSeconds === undefined || startTime === undefined || spec.suspend) return undefined;
  return nowMs >= Date.parse(startTime) + spec.activeDeadlineSeconds * 1000 ? tooLong : undefined;
}

/** True if in-place restarts of containers exceed the limit; they count as failures. */
function restartsExceed(restartPolicy: string | undefined, active: readonly Pod[], limit: number): boolean {
  if (restartPolicy !== 'OnFailure') return false;
  const statuses = active.flatMap(({ status }) => [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
  ]);
  const restarts = statuses.reduce((sum, { restartCount }) => sum + restartCount, 0);
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

/** The message about the first success rule that the completed indexes satisfy. */
function satisfiedRule({ spec }: Job, completed: ReadonlySet<number>): string | undefined {
  const { completions = 0, successPolicy } = spec;
  const index = (successPolicy?.rules ?? []).findIndex((rule) => isSatisfied(rule, completed, completions));
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}

function isSatisfied(rule: SuccessPolicyRule, completed: ReadonlySet<number>, completions: number): boolean {
  const { succeededIndexes, succeededCount } = rule;
  if (succeededIndexes === undefined) return completed.size >= (succeededCount ?? Number.POSITIVE_INFINITY);
  const wanted = parseIndexes(succeededIndexes, completions);
  const reached = [...wanted].filter((each) => completed.has(each)).length;
  return reached >= (succeededCount ?? wanted.size);
}
