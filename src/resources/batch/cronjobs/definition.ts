import type { Column } from '../../../codec/table.ts';
import type { CronJob } from '../../../gen/stored/batch-v1.ts';
import { ageSince } from '../../../meta/human-duration.ts';
import { builtIn } from '../../built-in.ts';
import { orNone, ageColumn, flagColumn, integerColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { workloadWithSelectorIn } from '../../columns/workload.ts';
import { statusSubresource } from '../../subresources.ts';
import { strategy } from './strategy.ts';

const columns: readonly Column<CronJob>[] = [
  nameColumn,
  textColumn('Schedule', 'Times at which jobs are created, as a cron expression.', ({ spec }) => spec.schedule),
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
