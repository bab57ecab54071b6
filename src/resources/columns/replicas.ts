import type { Column } from '../../codec/table.ts';
import type { ReplicaSet } from '../../gen/stored/apps-v1.ts';
import type { ReplicationController } from '../../gen/stored/core-v1.ts';
import { age, integer, name } from './column.ts';

/** The columns that replica sets and replication controllers share. */
export const replicas: readonly Column<ReplicaSet | ReplicationController>[] = [
  name,
  integer('Desired', 'Number of replicas that should exist.', ({ spec }) => spec.replicas),
  integer('Current', 'Number of replicas that exist.', ({ status }) => status.replicas),
  integer('Ready', 'Number of replicas that are ready.', ({ status }) => status.readyReplicas ?? 0),
  age,
];
