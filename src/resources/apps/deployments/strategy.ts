import type { Deployment } from '../../../gen/stored/apps-v1.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { numberAt, objectAt, sameValue, stringEntriesAt } from '../../../meta/read-field.ts';
import type { Strategy, SubresourceCreate } from '../../../registry/definition/strategy.ts';
import { defaultPodTemplate } from '../../core/pods/default.ts';
import { keepMetadata } from '../../rules/fields/keep-metadata.ts';
import { success } from '../../rules/fields/field-checks.ts';
import { rollbackRevision } from '../../rules/workloads/old-versions.ts';
import { scale } from '../../rules/workloads/scale-of.ts';
import { checkSelectorKept } from '../../rules/workloads/check-selector.ts';
import { validateDeployment, validateDeploymentStatus } from './validate.ts';

/**
 * The `rollback` sub-resource of versions before `apps/v1`: asks the Deployment controller to roll
 * back. The request is in an annotation, as `spec.rollbackTo` of these versions.
 */
const rollbackDeployment: SubresourceCreate = async (rollback, objects, { name }) => {
  await objects<Deployment>('apps', 'deployments').change(name, ({ metadata }) => {
    metadata.annotations = { ...metadata.annotations, ...requestOf(rollback) };
  });
  return { ...success(), message: `rollback request for deployment ${JSON.stringify(name)} succeeded`, code: 200 };
};

/** The annotations of a request, whose kind no served version has: it has no type. */
function requestOf(rollback: JsonObject): Readonly<Record<string, string>> {
  const revision = numberAt(objectAt(rollback, 'rollbackTo'), 'revision') ?? 0;
  return { ...Object.fromEntries(stringEntriesAt(rollback, 'updatedAnnotations')), [rollbackRevision]: `${revision}` };
}

/** The strategy of Deployments. */
export const strategy: Strategy<Deployment> = {
  templatePath: ['spec', 'template'],
  default: ({ spec }, context) => defaultPodTemplate(spec.template, context),
  validate: validateDeployment,
  validateUpdate: checkSelectorKept,
  // The Deployment controller copies annotations to ReplicaSets. It syncs when the generation
  // changes, so annotations increment it too.
  raisesGeneration: ({ metadata }, old) => !sameValue(metadata.annotations, old.metadata.annotations),
  subresources: {
    rollback: { create: rollbackDeployment },
    scale,
    status: { ...keepMetadata(['labels']), validateUpdate: validateDeploymentStatus },
  },
};
