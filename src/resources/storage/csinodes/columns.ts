import type { Column } from '../../../codec/table.ts';
import { objectAt, objectsAt } from '../../../meta/read-field.ts';
import { age, integer, name } from '../../columns/column.ts';

/** The columns of CSI nodes. */
export const columns: readonly Column[] = [
  name,
  integer(
    'Drivers',
    'Number of drivers on the node.',
    (object) => objectsAt(objectAt(object, 'spec'), 'drivers').length,
  ),
  age,
];
