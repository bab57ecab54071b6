import type { Column } from '../../../codec/table.ts';
import type { NetworkPolicy } from '../../../gen/stored/networking-v1.ts';
import { age, name, text, formatLabelSelector } from '../../columns/column.ts';

/** The columns of network policies. */
export const columns: readonly Column<NetworkPolicy>[] = [
  name,
  text('Pod-Selector', 'Labels of the pods that the policy applies to.', ({ spec }) =>
    formatLabelSelector(spec.podSelector),
  ),
  age,
];
