import type { JsonObject } from '../../../meta/json-value.ts';
import { numberAt, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { duplicate, type FieldError, invalid, required } from '../../../status/field-error.ts';
import { checkEach, checkNotNegative } from '../../rules/fields/check.ts';
import { checkCsiDriverName } from '../../rules/fields/csi-driver-name.ts';
import { repeatsOf } from '../../rules/fields/repeats.ts';

/** Maximum length of a driver's node ID, in characters. */
const nodeIdLimit = 192;

/** All errors of a CSI node. Drivers are unique, and so are the topology keys of each. */
export function validateCsiNode(csiNode: JsonObject): readonly FieldError[] {
  const seen = new Set<string>();
  return checkEach('spec.drivers', driversOf(csiNode), (driver, path) => {
    const name = stringAt(driver, 'name');
    const errors = allErrors(
      checkCsiDriverName(`${path}.name`, name),
      nodeIdErrors(`${path}.nodeID`, stringAt(driver, 'nodeID')),
      checkNotNegative(`${path}.allocatable.count`, numberAt(objectAt(driver, 'allocatable'), 'count')),
      seen.has(name) ? [duplicate(`${path}.name`, name)] : noErrors,
      topologyErrors(path, stringsAt(driver, 'topologyKeys')),
    );
    seen.add(name);
    return errors;
  });
}

function driversOf(csiNode: JsonObject): readonly JsonObject[] {
  return objectsAt(objectAt(csiNode, 'spec'), 'drivers');
}

function nodeIdErrors(field: string, id: string): readonly FieldError[] {
  if (id === '') return [required(field)];
  return id.length > nodeIdLimit ? [invalid(field, id, `must be ${nodeIdLimit} characters or less`)] : [];
}

/** Errors of topology keys are reported at the driver's list, not at the key. */
function topologyErrors(path: string, keys: readonly string[]): readonly FieldError[] {
  const repeats = repeatsOf(keys);
  return errorsOfEach(keys, (key, index) =>
    allErrors(
      key === '' ? [required(path)] : noErrors,
      repeats.has(index) ? [duplicate(path, key)] : noErrors,
      validateQualifiedName(key).map((message) => invalid(path, keys, message)),
    ),
  );
}

const sameDriver = sameMessage('api.storage.v1.CSINodeDriver');

/** The errors of an update. Drivers may be added and removed, but not changed. */
export function validateCsiNodeUpdate(csiNode: JsonObject, old: JsonObject): readonly FieldError[] {
  const before = new Map(driversOf(old).map((driver) => [stringAt(driver, 'name'), driver]));
  return errorsOfEach(driversOf(csiNode), (driver) => {
    const known = before.get(stringAt(driver, 'name'));
    return !known || sameDriver(driver, known) ? noErrors : [invalid('CSINodeDriver', driver, 'field is immutable')];
  });
}
