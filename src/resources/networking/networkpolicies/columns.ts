import type { Column } from '../../../codec/table-definition.ts';
import type { NetworkPolicy } from '../../../gen/stored/networking-v1.ts';
import { ageColumn, nameColumn, textColumn, formatLabelSelector } from '../../columns/column.ts';

/** The columns of network policies. */
export const columns: readonly Column<NetworkPolicy>[] = [
  nameColumn,
  textColumn('Pod-Selector', 'Labels of the pods that the policy applies to.', ({ spec }) =>
    formatLabelSelector(spec.podSelector),
  ),
  ageColumn,
];
