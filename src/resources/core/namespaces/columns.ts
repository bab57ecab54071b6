import type { Column } from '../../../codec/table.ts';
import { objectAt, stringAt } from '../../../meta/read-field.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of namespaces. */
export const columns: readonly Column[] = [
  name,
  text('Status', 'Phase of the namespace: active, or terminating while its content is deleted.', (object) =>
    stringAt(objectAt(object, 'status'), 'phase'),
  ),
  age,
];
