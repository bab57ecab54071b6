import { replicaSets } from '../resources.ts';
import { replicaController } from './replica-controller.ts';

/** Keeps the number of pods of each ReplicaSet. */
export const replicaSetController = replicaController({
  name: 'replicaset-controller',
  alias: 'replicaset',
  account: 'replicaset-controller',
  queue: 'replicaset',
  concurrency: 'concurrent-replicaset-syncs',
  resource: replicaSets,
  kind: 'ReplicaSet',
  selectorOf: ({ spec }) => spec.selector,
});
