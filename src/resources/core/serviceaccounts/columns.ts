import type { Column } from '../../../codec/table.ts';
import { objectsAt } from '../../../meta/read-field.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of service accounts. */
export const columns: readonly Column[] = [
  name,
  text(
    'Secrets',
    'Number of secrets that pods of the account may use.',
    (object) => objectsAt(object, 'secrets').length,
  ),
  age,
];
