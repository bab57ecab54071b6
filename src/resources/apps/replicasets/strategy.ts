import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { numberAt, objectAt } from '../../../meta/read-field.ts';
import { defaultTemplate } from '../../core/pods/default.ts';
import { checkSelectorKept, checkStatusCounts, checkWorkload } from '../../rules/workload.ts';
import { scale } from '../../rules/scale.ts';

/** Replica sets. */
export const definition: ResourceDefinition = {
  group: 'apps',
  resource: 'replicasets',
  strategy: {
    default: defaultTemplate,
    validate: (replicaSet) =>
      checkWorkload(replicaSet, { kind: 'ReplicaSet', counts: ['replicas', 'minReadySeconds'] }),
    validateUpdate: checkSelectorKept,
    selectableFields: ['status.replicas'],
    fieldsOf: (replicaSet) => ({
      'status.replicas': String(numberAt(objectAt(replicaSet, 'status'), 'replicas') ?? 0),
    }),
    subresources: {
      scale,
      status: {
        validateUpdate: (replicaSet) =>
          checkStatusCounts(
            replicaSet,
            ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'],
            [
              ['fullyLabeledReplicas', 'replicas', 'status.replicas'],
              ['readyReplicas', 'replicas', 'status.replicas'],
              ['availableReplicas', 'replicas', 'status.replicas'],
              ['availableReplicas', 'readyReplicas', 'readyReplicas'],
            ],
          ),
      },
    },
  },
};
