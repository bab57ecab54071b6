import type { JsonObject } from '../../../meta/json-value.ts';
import { makeObjectAt, numberAt, objectAt, stringEntriesAt } from '../../../meta/read-field.ts';
import type { SubresourceCreate } from '../../../registry/strategy.ts';
import { success } from '../../rules/fields/success.ts';
import { rollbackRevision } from '../../rules/workloads/old-versions.ts';

/**
 * The `rollback` sub-resource of versions before `apps/v1`: asks the Deployment controller to roll
 * back. The request is in an annotation, as `spec.rollbackTo` of these versions.
 */
export const rollbackDeployment: SubresourceCreate = async (rollback, objects, { name }) => {
  await objects('apps', 'deployments').change(name, (deployment) => request(deployment, rollback));
  return { ...success(), message: `rollback request for deployment ${JSON.stringify(name)} succeeded`, code: 200 };
};

function request(deployment: JsonObject, rollback: JsonObject): void {
  const annotations = makeObjectAt(makeObjectAt(deployment, 'metadata'), 'annotations');
  Object.assign(annotations, Object.fromEntries(stringEntriesAt(rollback, 'updatedAnnotations')));
  annotations[rollbackRevision] = String(numberAt(objectAt(rollback, 'rollbackTo'), 'revision') ?? 0);
}
