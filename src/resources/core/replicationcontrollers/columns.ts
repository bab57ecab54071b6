import type { Column } from '../../../codec/table.ts';
import { objectAt } from '../../../meta/read-field.ts';
import { wide } from '../../columns/column.ts';
import { formatLabels } from '../../columns/format-labels.ts';
import { replicas } from '../../columns/replicas.ts';
import { workload } from '../../columns/workload.ts';

/** The columns of replication controllers. */
export const columns: readonly Column[] = [
  ...replicas,
  ...workload(),
  wide('Selector', 'Labels of the pods that belong to the controller.', (object) =>
    formatLabels(objectAt(object, 'spec'), 'selector'),
  ),
];
