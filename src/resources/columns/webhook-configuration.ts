import type { Column } from '../../codec/table.ts';
import { objectsAt } from '../../meta/read-field.ts';
import { age, integer, name } from './column.ts';

/** The columns of webhook configurations. */
export const webhookConfiguration: readonly Column[] = [
  name,
  integer('Webhooks', 'Number of webhooks in the configuration.', (object) => objectsAt(object, 'webhooks').length),
  age,
];
