import type { Column } from '../../../codec/table.ts';
import { objectAt } from '../../../meta/read-field.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of config maps. */
export const columns: readonly Column[] = [
  name,
  text('Data', 'Number of keys, of texts and of binary values.', (object) => {
    return Object.keys(objectAt(object, 'data')).length + Object.keys(objectAt(object, 'binaryData')).length;
  }),
  age,
];
