import type { Column } from '../../../codec/table.ts';
import type { PriorityClass } from '../../../gen/stored/scheduling-v1.ts';
import { age, flag, integer, name } from '../../columns/column.ts';

/** The columns of priority classes. */
export const columns: readonly Column<PriorityClass>[] = [
  name,
  integer('Value', 'Priority of pods of the class.', ({ value }) => value),
  flag('Global-Default', 'Whether pods without a class get this one.', ({ globalDefault = false }) => globalDefault),
  age,
];
