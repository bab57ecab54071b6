import type { ControllerDefinition } from '../controller-definition.ts';
import { replicaSets } from '../kinds/replica-set.ts';
import { runReplicaController } from './replica-controller.ts';

const kind = {
  name: 'replicaset',
  resource: replicaSets,
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  selectorOf: (object: { spec: { selector?: object } }) => object.spec.selector,
};

/** Keeps the number of pods of each ReplicaSet. */
export const replicaSetController: ControllerDefinition = {
  name: 'replicaset-controller',
  alias: 'replicaset',
  account: 'replicaset-controller',
  run: (context, signal) => runReplicaController(kind, context, signal),
};
