import type { JsonObject } from '../../../meta/json-value.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { duplicate, type FieldError, required } from '../../../status/field-error.ts';
import { objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { checkEach } from '../../rules/check.ts';
import { checkCsiDriverName } from '../../rules/csi-driver-name.ts';

/** What CSI drivers know of nodes. */
export const definition: ResourceDefinition = {
  group: 'storage',
  resource: 'csinodes',
  strategy: { validate: validateCsiNode, allowUnconditionalUpdate: false, returnsDeletedObject: true },
};

function validateCsiNode(csiNode: JsonObject): FieldError[] {
  const seen = new Set<string>();
  return checkEach('spec.drivers', objectsAt(objectAt(csiNode, 'spec'), 'drivers'), (driver, path) => {
    const name = stringAt(driver, 'name');
    const errors = [
      ...checkCsiDriverName(`${path}.name`, name),
      ...(seen.has(name) ? [duplicate(`${path}.name`, name)] : []),
      ...(stringAt(driver, 'nodeID') === '' ? [required(`${path}.nodeID`)] : []),
    ];
    seen.add(name);
    return errors;
  });
}
