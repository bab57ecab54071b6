import type { Column } from '../../../codec/table.ts';
import { stringAt } from '../../../meta/read-field.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of runtime classes. */
export const columns: readonly Column[] = [
  name,
  text('Handler', 'Configuration of the container runtime for pods of the class.', (object) =>
    stringAt(object, 'handler'),
  ),
  age,
];
