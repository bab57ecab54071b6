import type { Column } from '../../../codec/table.ts';
import type { CSINode } from '../../../gen/stored/storage-v1.ts';
import { age, integer, name } from '../../columns/column.ts';

/** The columns of CSI nodes. */
export const columns: readonly Column<CSINode>[] = [
  name,
  integer('Drivers', 'Number of drivers on the node.', ({ spec }) => spec.drivers?.length ?? 0),
  age,
];
