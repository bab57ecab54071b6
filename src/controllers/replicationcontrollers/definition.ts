import type { ControllerDefinition } from '../controller-definition.ts';
import { type ReplicationController, replicationControllers } from '../kinds/replica-set.ts';
import { runReplicaController } from '../replicasets/replica-controller.ts';

const kind = {
  name: 'replicationmanager',
  resource: replicationControllers,
  apiVersion: 'v1',
  kind: 'ReplicationController',
  selectorOf: ({ spec }: ReplicationController) => ({ matchLabels: spec.selector ?? {} }),
};

/** Keeps the number of pods of each ReplicationController. */
export const replicationController: ControllerDefinition = {
  name: 'replicationcontroller-controller',
  alias: 'replicationcontroller',
  account: 'replication-controller',
  run: (context, signal) => runReplicaController(kind, context, signal),
};
