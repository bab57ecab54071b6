import type { Column } from '../../../codec/table.ts';
import { objectAt, stringAt } from '../../../meta/read-field.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of leases. */
export const columns: readonly Column[] = [
  name,
  text('Holder', 'Identity of the holder.', (object) => stringAt(objectAt(object, 'spec'), 'holderIdentity')),
  age,
];
