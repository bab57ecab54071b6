import type { Column } from '../../../codec/table.ts';
import { isSet, isTrue, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { ageSince } from '../../../meta/human-duration.ts';
import { orNone } from '../../columns/cell-text.ts';
import { age, flag, integer, name, text } from '../../columns/column.ts';
import { workloadWithSelector } from '../../columns/workload.ts';

/** The columns of cron jobs. */
export const columns: readonly Column[] = [
  name,
  text('Schedule', 'Times at which jobs are created, as a cron expression.', (object) =>
    stringAt(objectAt(object, 'spec'), 'schedule'),
  ),
  // The cells are texts, as in kube-apiserver, although the type of the column is boolean.
  flag('Suspend', 'True if no jobs are created for now.', (object) => {
    const spec = objectAt(object, 'spec');
    if (!isSet(spec, 'suspend')) return '<unset>';
    return isTrue(spec, 'suspend') ? 'True' : 'False';
  }),
  integer(
    'Active',
    'Number of jobs that are running.',
    (object) => objectsAt(objectAt(object, 'status'), 'active').length,
  ),
  text('Last Schedule', 'Time since a job was last scheduled.', (object, { nowMs }) => {
    const status = objectAt(object, 'status');
    return isSet(status, 'lastScheduleTime') ? ageSince(stringAt(status, 'lastScheduleTime'), nowMs) : orNone('');
  }),
  age,
  ...workloadWithSelector((object) => objectAt(object, 'spec', 'jobTemplate', 'spec')),
];
