import type { Column } from '../../../codec/table.ts';
import { objectAt } from '../../../meta/read-field.ts';
import { countAt } from '../../columns/cell-text.ts';
import { age, name, text } from '../../columns/column.ts';
import { workload } from '../../columns/workload.ts';

/** The columns of stateful sets. */
export const columns: readonly Column[] = [
  name,
  text('Ready', 'Number of ready pods, of the desired ones.', (object) => {
    return `${countAt(objectAt(object, 'status'), 'readyReplicas')}/${countAt(objectAt(object, 'spec'), 'replicas')}`;
  }),
  age,
  ...workload(),
];
