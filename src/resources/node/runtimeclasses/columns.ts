import type { Column } from '../../../codec/table.ts';
import type { RuntimeClass } from '../../../gen/stored/node-v1.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of runtime classes. */
export const columns: readonly Column<RuntimeClass>[] = [
  name,
  text('Handler', 'Configuration of the container runtime for pods of the class.', ({ handler }) => handler),
  age,
];
