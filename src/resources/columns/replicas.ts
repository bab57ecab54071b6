import type { Column } from '../../codec/table.ts';
import { objectAt } from '../../meta/read-field.ts';
import { countAt } from './cell-text.ts';
import { age, integer, name } from './column.ts';

/** The columns that replica sets and replication controllers share. */
export const replicas: readonly Column[] = [
  name,
  integer('Desired', 'Number of replicas that should exist.', (object) =>
    countAt(objectAt(object, 'spec'), 'replicas'),
  ),
  integer('Current', 'Number of replicas that exist.', (object) => countAt(objectAt(object, 'status'), 'replicas')),
  integer('Ready', 'Number of replicas that are ready.', (object) =>
    countAt(objectAt(object, 'status'), 'readyReplicas'),
  ),
  age,
];
