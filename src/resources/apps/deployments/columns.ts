import type { Column } from '../../../codec/table.ts';
import { objectAt } from '../../../meta/read-field.ts';
import { countAt } from '../../columns/cell-text.ts';
import { age, name, text } from '../../columns/column.ts';
import { workloadWithSelector } from '../../columns/workload.ts';

/** The columns of deployments. */
export const columns: readonly Column[] = [
  name,
  text('Ready', 'Number of ready pods, of the desired ones.', (object) => {
    return `${countAt(objectAt(object, 'status'), 'readyReplicas')}/${countAt(objectAt(object, 'spec'), 'replicas')}`;
  }),
  text('Up-to-date', 'Number of pods with the desired template.', (object) =>
    countAt(objectAt(object, 'status'), 'updatedReplicas'),
  ),
  text('Available', 'Number of pods that have been ready for the required time.', (object) =>
    countAt(objectAt(object, 'status'), 'availableReplicas'),
  ),
  age,
  ...workloadWithSelector(),
];
