import type { Column } from '../../../codec/table-definition.ts';
import type { CronJob, CronJobSpec } from '../../../gen/stored/batch-v1.ts';
import { ageSince } from '../../../meta/human-duration.ts';
import { builtIn } from '../../built-in.ts';
import { orNone, ageColumn, flagColumn, integerColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { workloadWithSelectorIn } from '../../columns/workload.ts';
import { statusSubresource } from '../../subresources.ts';
import type { Strategy, StrategyContext } from '../../../registry/definition/strategy.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, invalid, notSupported } from '../../../status/field-error.ts';
import { defaultPodTemplate } from '../../core/pods/default.ts';
import { checkJobSpec } from '../jobs/validate.ts';
import { scheduleMessages, timeZoneMessages } from './schedule.ts';
import { withOperatorsOfTemplate } from '../../core/pods/number-operators.ts';

/** The strategy of CronJobs. A job template gets no other defaults: each Job gets its own. */
const strategy: Strategy<CronJob> = {
  templatePath: ['spec', 'jobTemplate', 'spec', 'template'],
  default: ({ spec }, context) => defaultPodTemplate(spec.jobTemplate.spec.template, context),
  validate: validateCronJob,
  validateCreate: nameErrors,
  dependents: (version) => (version === 'v1beta1' ? 'orphan' : 'collect'),
};

/** All errors of a CronJob. The job template has no selector: each Job gets its own. */
function validateCronJob(cronJob: CronJob, { emulated }: StrategyContext, old?: CronJob): readonly FieldError[] {
  const spec = new FieldCursor(cronJob).at('spec');
  spec.at('schedule').mustBe(scheduleMessages);
  checkZone(spec, old?.spec, emulated);
  const job = spec.at('jobTemplate').at('spec');
  checkJobSpec(job, withOperatorsOfTemplate(old?.spec.jobTemplate, emulated));
  if (job.value.selector) job.at('selector').reportInvalid('`selector` will be auto-generated');
  if (job.value.manualSelector) job.report(notSupported(`${job.path}.manualSelector`, true, ['nil', 'false']));
  return spec.errors;
}

/**
 * Checks the time zone. Since release 1.27 the schedule must not contain one, unless the old
 * schedule did.
 */
function checkZone(spec: FieldCursor<CronJobSpec>, old: CronJobSpec | undefined, { release }: EmulatedRelease): void {
  const [schedule, zone] = [spec.at('schedule'), spec.at('timeZone')];
  const mayHaveZone = !isSince(release, '1.27') || old?.schedule.includes('TZ');
  if (schedule.value.includes('TZ') && !mayHaveZone) {
    schedule.reportInvalid('cannot use TZ or CRON_TZ in schedule, use timeZone field instead');
  } else if (schedule.value.includes('TZ') && zone.isPresent()) {
    schedule.reportInvalid('cannot use both timeZone field and TZ or CRON_TZ in schedule');
  }
  if (zone.value === undefined || (old && old.timeZone === zone.value)) return;
  for (const message of timeZoneMessages(zone.value)) zone.reportInvalid(message);
}

/**
 * Maximum length of a name: the limit of a label, less 11 characters for the suffix of a Job's
 * name.
 */
const nameLimit = 52;

function nameErrors({ metadata: { name = '' } }: CronJob): FieldError[] {
  return name.length > nameLimit
    ? [invalid('metadata.name', name, `must be no more than ${nameLimit} characters`)]
    : [];
}

const columns: readonly Column<CronJob>[] = [
  nameColumn,
  textColumn('Schedule', 'Times at which jobs are created, as a cron expression.', ({ spec }) => spec.schedule),
  {
    ...textColumn('Timezone', 'Time zone of the schedule.', ({ spec }: CronJob) => orNone(spec.timeZone)),
    since: '1.30',
  },
  // The cells are texts, as in kube-apiserver, although the type of the column is boolean.
  flagColumn('Suspend', 'True if no jobs are created for now.', ({ spec }) => (spec.suspend ? 'True' : 'False')),
  integerColumn('Active', 'Number of jobs that are running.', ({ status: { active = [] } }) => active.length),
  textColumn('Last Schedule', 'Time since a job was last scheduled.', ({ status: { lastScheduleTime } }, { nowMs }) =>
    lastScheduleTime === undefined ? orNone('') : ageSince(lastScheduleTime, nowMs),
  ),
  ageColumn,
  ...workloadWithSelectorIn(({ spec }: CronJob) => spec.jobTemplate.spec),
];

/** The resource `cronjobs` of the group `batch`. */
export const cronJobs = builtIn<CronJob>({
  group: 'batch',
  resource: 'cronjobs',
  kind: 'CronJob',
  namespaced: true,
  versions: {
    v1: { introduced: '1.21' },
    v1beta1: { introduced: '1.8', deprecated: { since: '1.21', removed: '1.25', replacement: 'v1' } },
  },
  shortNames: ['cj'],
  categories: ['all'],
  subresources: [statusSubresource],
  columns,
  strategy,
});
