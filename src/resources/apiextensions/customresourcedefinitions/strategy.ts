import type { JsonObject } from '../../../meta/json-value.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { isTrue, makeObjectAt, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { defaultDefinition } from './default.ts';
import { validateDefinition, validateDefinitionUpdate, validateNewDefinition } from './validate.ts';
import { keepMetadata } from '../../rules/fields/keep-metadata.ts';

/** The strategy of CustomResourceDefinitions. */
export const strategy: Strategy = {
  plainFinalizers: true,
  default: defaultDefinition,
  prepareForCreate: recordStoredVersion,
  prepareForUpdate: recordStoredVersion,
  validate: validateDefinition,
  // Reported at the spec if all versions are the same.
  suppressSchemaErrorsAt: ['spec.versions'],
  validateCreate: validateNewDefinition,
  validateUpdate: validateDefinitionUpdate,
  allowUnconditionalUpdate: false,
  subresources: {
    status: { ...keepMetadata(['labels', 'annotations', 'ownerReferences']), default: recordFirstVersion },
  },
};

/** Fills in the storage version if a status has no stored versions. Mutates. */
function recordFirstVersion(crd: JsonObject): void {
  if (stringsAt(objectAt(crd, 'status'), 'storedVersions').length === 0) recordStoredVersion(crd);
}

/**
 * Adds the storage version to `status.storedVersions`, which lists all versions in which objects
 * may be stored. Mutates.
 */
function recordStoredVersion(crd: JsonObject): void {
  const stored = objectsAt(objectAt(crd, 'spec'), 'versions').find((version) => isTrue(version, 'storage'));
  if (!stored) return;
  const status = makeObjectAt(crd, 'status');
  const versions = stringsAt(status, 'storedVersions');
  const name = stringAt(stored, 'name');
  if (!versions.includes(name)) status['storedVersions'] = [...versions, name];
}
