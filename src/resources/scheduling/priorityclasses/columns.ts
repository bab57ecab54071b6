import type { Column } from '../../../codec/table.ts';
import { isTrue } from '../../../meta/read-field.ts';
import { countAt } from '../../columns/cell-text.ts';
import { age, flag, integer, name } from '../../columns/column.ts';

/** The columns of priority classes. */
export const columns: readonly Column[] = [
  name,
  integer('Value', 'Priority of pods of the class.', (object) => countAt(object, 'value')),
  flag('Global-Default', 'Whether pods without a class get this one.', (object) => isTrue(object, 'globalDefault')),
  age,
];
