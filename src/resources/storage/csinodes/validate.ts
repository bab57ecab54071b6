import type { JsonObject } from '../../../meta/json-value.ts';
import { numberAt, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { duplicate, type FieldError, invalid, invalidShown, required } from '../../../status/field-error.ts';
import { goStruct, goStructs } from '../../../status/go-syntax.ts';
import { checkEach, checkNotNegative } from '../../rules/fields/check.ts';
import { checkCsiDriverName } from '../../rules/fields/csi-driver-name.ts';
import { repeatsOf } from '../../rules/fields/repeats.ts';

/** Longest identifier that a driver may give a node. */
const nodeIdLimit = 192;

/** Every error of what drivers say of a node: each driver once, with topology keys that differ. */
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

/** Errors of keys are told of the driver. */
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

/** A driver that is there stays as it is; it may go, and others may come. */
export function validateCsiNodeUpdate(csiNode: JsonObject, old: JsonObject): readonly FieldError[] {
  const before = new Map(driversOf(old).map((driver) => [stringAt(driver, 'name'), driver]));
  return errorsOfEach(driversOf(csiNode), (driver) => {
    const known = before.get(stringAt(driver, 'name'));
    return !known || sameDriver(driver, known)
      ? noErrors
      : [invalidShown('CSINodeDriver', goStruct(goStructs.csiNodeDriver, driver), 'field is immutable')];
  });
}
