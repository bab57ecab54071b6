import type { Column } from '../../codec/table.ts';
import { age, integer, name } from './column.ts';

/** The columns of webhook configurations. */
export const webhookConfiguration: readonly Column<{ readonly webhooks?: readonly unknown[] }>[] = [
  name,
  integer('Webhooks', 'Number of webhooks in the configuration.', ({ webhooks = [] }) => webhooks.length),
  age,
];
