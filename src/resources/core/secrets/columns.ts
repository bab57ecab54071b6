import type { Column } from '../../../codec/table.ts';
import { objectAt, stringAt } from '../../../meta/read-field.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of secrets. */
export const columns: readonly Column[] = [
  name,
  text('Type', 'Type of the secret, which tells what its data is for.', (object) => stringAt(object, 'type')),
  text('Data', 'Number of keys.', (object) => Object.keys(objectAt(object, 'data')).length),
  age,
];
