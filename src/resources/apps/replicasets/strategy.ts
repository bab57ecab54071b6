import type { Strategy } from '../../../registry/strategy.ts';
import { objectAt } from '../../../meta/read-field.ts';
import { defaultTemplate } from '../../core/pods/default.ts';
import {
  checkChosenTemplate,
  checkReplicaStatus,
  checkSelector,
  checkSelectorKept,
} from '../../rules/workloads/workload.ts';
import { scale } from '../../rules/workloads/scale.ts';

/** The strategy of ReplicaSets. */
export const strategy: Strategy = {
  templatePath: ['spec', 'template'],
  default: defaultTemplate,
  validate: (replicaSet) => {
    const spec = objectAt(replicaSet, 'spec');
    return [
      // kube-apiserver's message names the wrong kind.
      ...checkSelector(spec, 'deployment'),
      ...checkChosenTemplate(spec, 'ReplicaSet'),
    ];
  },
  validateUpdate: checkSelectorKept,
  subresources: {
    scale,
    status: { validateUpdate: checkReplicaStatus },
  },
};
