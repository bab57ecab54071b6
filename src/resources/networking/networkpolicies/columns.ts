import type { Column } from '../../../codec/table.ts';
import { objectAt } from '../../../meta/read-field.ts';
import { age, name, text } from '../../columns/column.ts';
import { formatLabelSelector } from '../../columns/format-labels.ts';

/** The columns of network policies. */
export const columns: readonly Column[] = [
  name,
  text('Pod-Selector', 'Labels of the pods that the policy applies to.', (object) =>
    formatLabelSelector(objectAt(object, 'spec'), 'podSelector'),
  ),
  age,
];
