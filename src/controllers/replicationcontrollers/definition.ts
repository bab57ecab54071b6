import { replicationControllers } from '../resources.ts';
import { replicaController } from '../replicasets/replica-controller.ts';

/** Keeps the number of pods of each ReplicationController. */
export const replicationController = replicaController({
  name: 'replicationcontroller-controller',
  alias: 'replicationcontroller',
  account: 'replication-controller',
  queue: 'replicationmanager',
  concurrency: 'concurrent-rc-syncs',
  component: 'replication-controller',
  resource: replicationControllers,
  kind: 'ReplicationController',
  selectorOf: ({ spec }) => ({ matchLabels: spec.selector ?? {} }),
});
