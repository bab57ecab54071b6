import type { Column } from '../../../codec/table.ts';
import type { Lease } from '../../../gen/stored/coordination-v1.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of leases. */
export const columns: readonly Column<Lease>[] = [
  name,
  text('Holder', 'Identity of the holder.', ({ spec }) => spec.holderIdentity ?? ''),
  age,
];
