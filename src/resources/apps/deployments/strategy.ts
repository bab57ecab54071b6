import type { Strategy } from '../../../registry/strategy.ts';
import { defaultTemplate } from '../../core/pods/default.ts';
import { makeObjectAt, objectAt, sameValue } from '../../../meta/read-field.ts';
import { defaultRollingUpdate } from '../../rules/workloads/rolling-update.ts';
import { checkSelectorKept } from '../../rules/workloads/workload.ts';
import { validateDeployment, validateDeploymentStatus } from './validate.ts';
import { keepMetadata } from '../../rules/fields/keep-metadata.ts';
import { rollbackDeployment } from './rollback.ts';
import { scale } from '../../rules/workloads/scale.ts';

/** The strategy of Deployments. */
export const strategy: Strategy = {
  templatePath: ['spec', 'template'],
  default: (deployment) => {
    defaultTemplate(deployment);
    const rollout = makeObjectAt(makeObjectAt(deployment, 'spec'), 'strategy');
    defaultRollingUpdate(rollout, { maxUnavailable: '25%', maxSurge: '25%' });
  },
  validate: validateDeployment,
  validateUpdate: checkSelectorKept,
  // The Deployment controller copies annotations to ReplicaSets. It syncs when the generation
  // changes, so annotations increment it too.
  raisesGeneration: (deployment, old) =>
    !sameValue(objectAt(deployment, 'metadata', 'annotations'), objectAt(old, 'metadata', 'annotations')),
  subresources: {
    rollback: { create: rollbackDeployment },
    scale,
    status: { ...keepMetadata(['labels']), validateUpdate: validateDeploymentStatus },
  },
};
