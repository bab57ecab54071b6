import type { Job } from '../../../gen/stored/batch-v1.ts';
import { parseTime } from '../../../meta/time.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { isSince } from '../../../scheme/api-release.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { duplicate, type FieldError, invalid, invalidUnshown, required } from '../../../status/field-error.ts';
import { checkStatusCounts } from '../../rules/workloads/check-selector.ts';
import { commonIndex, parseIndexRanges } from './indexes.ts';

/**
 * All errors of the status of a Job. Since other controllers can manage Jobs, changes of a status
 * must be consistent. An error is reported only if the write changes one of the fields concerned.
 */
export function validateJobStatus(job: Job, old: Job, { emulated }: StrategyContext): readonly FieldError[] {
  if (!isSince(emulated.release, '1.27')) return checkStatusCounts(job, ['active', 'succeeded', 'failed']);
  const isStrict = emulated.isFeatureEnabled('JobManagedBy');
  return allErrors(
    checkStatusCounts(job, ['active', 'succeeded', 'failed', 'ready', 'terminating']),
    uncountedErrors(job),
    isStrict ? errorsOfEach(stateRules, (rule) => rule(job, old, emulated.release)) : noErrors,
    criteriaErrors(job, old),
    isStrict ? errorsOfEach(changeRules, (rule) => rule(job, old, emulated.release)) : noErrors,
  );
}

function uncountedErrors({ status: { uncountedTerminatedPods: pods = {} } }: Job): readonly FieldError[] {
  const seen = new Set<string>();
  return errorsOfEach(['succeeded', 'failed'] as const, (list) =>
    errorsOfEach(pods[list] ?? [], (uid, index) => {
      const field = `status.uncountedTerminatedPods.${list}[${index}]`;
      if (uid === '') return [invalid(field, uid, 'must not be empty')];
      if (seen.has(uid)) return [duplicate(field, uid)];
      seen.add(uid);
      return noErrors;
    }),
  );
}

type ConditionType = 'Complete' | 'Failed' | 'FailureTarget' | 'SuccessCriteriaMet';

function has({ status: { conditions = [] } }: Job, type: ConditionType): boolean {
  return conditions.some((condition) => condition.type === type && condition.status === 'True');
}

function isFinished(job: Job): boolean {
  return has(job, 'Complete') || has(job, 'Failed');
}

function changes(job: Job, old: Job, ...types: readonly ConditionType[]): boolean {
  return types.some((type) => has(job, type) !== has(old, type));
}

function finishes(job: Job, old: Job): boolean {
  return isFinished(job) !== isFinished(old);
}

function isIndexed({ spec }: Job): boolean {
  return spec.completionMode === 'Indexed';
}

function atConditions(detail: string): readonly FieldError[] {
  return [invalidUnshown('status.conditions', detail)];
}

type StatusRule = (job: Job, old: Job, release: string) => readonly FieldError[];

/** The rules for a status, in the order of their errors. */
const stateRules: readonly StatusRule[] = [
  (job, old) =>
    changes(job, old, 'Complete', 'Failed') && has(job, 'Complete') && has(job, 'Failed')
      ? atConditions('cannot set Complete=True and Failed=true conditions')
      : noErrors,
  (job, old) =>
    changes(job, old, 'Complete', 'FailureTarget') && has(job, 'Complete') && has(job, 'FailureTarget')
      ? atConditions('cannot set Complete=True and FailureTarget=true conditions')
      : noErrors,
  completionTimeErrors,
  (job, old) =>
    changes(job, old, 'Failed') && has(job, 'Failed') && !has(job, 'FailureTarget')
      ? atConditions('cannot set Failed=True condition without the FailureTarget=true condition')
      : noErrors,
  (job, old) =>
    changes(job, old, 'Complete') && has(job, 'Complete') && !has(job, 'SuccessCriteriaMet')
      ? atConditions('cannot set Complete=True condition without the SuccessCriteriaMet=true condition')
      : noErrors,
  finishedErrors,
  indexErrors,
  ({ status: { ready, active = 0 } }) =>
    ready !== undefined && ready > active
      ? [invalid('status.ready', ready, 'cannot set more ready pods than active')]
      : noErrors,
];

function completionTimeErrors(job: Job, old: Job): readonly FieldError[] {
  const { startTime, completionTime } = job.status;
  const field = 'status.completionTime';
  const startChanged = startTime !== old.status.startTime;
  const endChanged = completionTime !== old.status.completionTime;
  const isComplete = has(job, 'Complete');
  const concerns = changes(job, old, 'Complete') || endChanged;
  const isEarly = startTime && completionTime && (parseTime(completionTime) ?? 0) < (parseTime(startTime) ?? 0);
  return allErrors(
    concerns && completionTime && !isComplete
      ? [invalid(field, completionTime, 'cannot set completionTime when there is no Complete=True condition')]
      : noErrors,
    concerns && !completionTime && isComplete
      ? [required(field, 'completionTime is required for Complete jobs')]
      : noErrors,
    (startChanged || endChanged) && isEarly
      ? [invalid(field, completionTime, 'completionTime cannot be set before startTime')]
      : noErrors,
  );
}

function finishedErrors(job: Job, old: Job): readonly FieldError[] {
  if (!isFinished(job)) return noErrors;
  const { active = 0, startTime, uncountedTerminatedPods: pods, terminating = 0 } = job.status;
  const isNew = finishes(job, old);
  const uncounted = (pods?.failed ?? []).length + (pods?.succeeded ?? []).length;
  return allErrors(
    (isNew || active !== (old.status.active ?? 0)) && active > 0
      ? [invalid('status.active', active, 'active>0 is invalid for finished job')]
      : noErrors,
    (isNew || startTime !== old.status.startTime) && !startTime
      ? [required('status.startTime', 'startTime is required for finished job')]
      : noErrors,
    isNew && uncounted > 0
      ? [invalid('status.uncountedTerminatedPods', pods, 'uncountedTerminatedPods needs to be empty for finished job')]
      : noErrors,
    (isNew || terminating !== (old.status.terminating ?? 0)) && terminating > 0
      ? [invalid('status.terminating', terminating, 'terminating>0 is invalid for finished job')]
      : noErrors,
  );
}

function indexErrors(job: Job, old: Job): readonly FieldError[] {
  const { completedIndexes: done = '', failedIndexes: failed } = job.status;
  const { completions, backoffLimitPerIndex: limit } = job.spec;
  const doneChanged = done !== (old.status.completedIndexes ?? '');
  const failedChanged = failed !== old.status.failedIndexes;
  const [doneField, failedField] = ['status.completedIndexes', 'status.failedIndexes'];
  const common =
    completions !== undefined && failed !== undefined && (doneChanged || failedChanged)
      ? commonIndex(done, failed, completions)
      : undefined;
  return allErrors(
    doneChanged && completions !== undefined ? parseErrors(doneField, done, completions) : noErrors,
    failedChanged && completions !== undefined && limit !== undefined && failed !== undefined
      ? parseErrors(failedField, failed, completions)
      : noErrors,
    doneChanged && done !== '' && !isIndexed(job)
      ? [invalid(doneField, done, 'cannot set non-empty completedIndexes when non-indexed completion mode')]
      : noErrors,
    failedChanged && limit === undefined && failed !== undefined
      ? [invalid(failedField, failed, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null')]
      : noErrors,
    common === undefined
      ? noErrors
      : [invalid(failedField, failed, `failedIndexes and completedIndexes overlap at index: ${common}`)],
  );
}

function parseErrors(field: string, text: string, completions: number): readonly FieldError[] {
  const parsed = parseIndexRanges(text, completions);
  const name = field.slice('status.'.length);
  return 'error' in parsed ? [invalid(field, text, `error parsing ${name}: ${parsed.error}`)] : noErrors;
}

function criteriaErrors(job: Job, old: Job): readonly FieldError[] {
  const isMet = has(job, 'SuccessCriteriaMet');
  const cannot = 'cannot set SuccessCriteriaMet=True and';
  return allErrors(
    isMet && has(job, 'Failed') ? atConditions(`${cannot} Failed=true conditions`) : noErrors,
    isMet && has(job, 'FailureTarget') ? atConditions(`${cannot} FailureTarget=true conditions`) : noErrors,
    job.spec.successPolicy && !isMet && has(job, 'Complete')
      ? atConditions('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True')
      : noErrors,
    has(old, 'SuccessCriteriaMet') && !isMet
      ? atConditions('cannot disable the SuccessCriteriaMet=True condition')
      : noErrors,
    has(old, 'Complete') && !has(old, 'SuccessCriteriaMet') && isMet
      ? atConditions('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions')
      : noErrors,
  );
}

const terminal = ['Failed', 'Complete', 'FailureTarget'] as const;

/** The rules for changes of a status, in the order of their errors. */
const changeRules: readonly StatusRule[] = [
  (job, old) =>
    errorsOfEach(terminal, (type) =>
      has(old, type) && !has(job, type) ? atConditions(`cannot disable the terminal ${type}=True condition`) : noErrors,
    ),
  ({ status: { failed = 0 } }, old) =>
    failed < (old.status.failed ?? 0)
      ? [invalid('status.failed', failed, 'cannot decrease the failed counter')]
      : noErrors,
  (job, old) => {
    const { succeeded = 0 } = job.status;
    // The completions of an elastic Job can decrease.
    const isElastic = isIndexed(job) && job.spec.completions === job.spec.parallelism;
    return !isElastic && succeeded < (old.status.succeeded ?? 0)
      ? [invalid('status.succeeded', succeeded, 'cannot decrease the succeeded counter')]
      : noErrors;
  },
  ({ status: { completionTime } }, { status: { completionTime: before } }) =>
    completionTime && before && completionTime !== before
      ? [invalid('status.completionTime', completionTime, 'completionTime cannot be mutated')]
      : noErrors,
  ({ spec, status: { startTime } }, { status: { startTime: before } }, release) => {
    if (!before || startTime === before || spec.suspend) return noErrors;
    const field = 'status.startTime';
    return isSince(release, '1.36')
      ? [invalid(field, startTime ?? null, 'field is immutable for unsuspended job once set')]
      : [required(field, 'startTime cannot be removed for unsuspended job')];
  },
];
