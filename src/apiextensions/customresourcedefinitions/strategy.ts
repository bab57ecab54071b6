import type { JsonObject } from '../../meta/json-value.ts';
import { deletionTimestampOf, finalizersOf, setFinalizers } from '../../meta/object-meta.ts';
import type { Strategy, StrategyContext } from '../../registry/definition/strategy.ts';
import { isTrue, makeObjectAt, objectAt, objectsAt, stringAt, stringsAt } from '../../meta/read-field.ts';
import { cleanupFinalizer, isCleanupFinalizer } from './cleanup-finalizer.ts';
import { withCondition } from './conditions.ts';
import { defaultDefinition } from './default.ts';
import {
  validateDefinition,
  validateDefinitionName,
  validateDefinitionUpdate,
  validateNewDefinition,
} from './validate.ts';
import { validateExpressions } from './validate-expressions.ts';
import { keepMetadata } from '../../resources/rules/fields/keep-metadata.ts';

/** The strategy of CustomResourceDefinitions. */
export const strategy: Strategy = {
  plainFinalizers: true,
  validateNewName: validateDefinitionName,
  default: defaultDefinition,
  prepareForCreate: recordStoredVersion,
  prepareForUpdate: recordStoredVersion,
  validate: validateDefinition,
  validateCreate: validateNewDefinition,
  validateUpdate: validateDefinitionUpdate,
  validateRules: validateExpressions,
  allowUnconditionalUpdate: false,
  // Until the objects that it defines are gone.
  holdsDeletion: (crd) => deletionTimestampOf(crd) === '' || finalizersOf(crd).some(isCleanupFinalizer),
  prepareForDelete,
  dependents: () => 'none',
  subresources: {
    status: { ...keepMetadata(['labels', 'annotations', 'ownerReferences']), default: recordFirstVersion },
  },
};

/** Has the objects of a definition deleted before it goes. Mutates. */
function prepareForDelete(crd: JsonObject, { identifiers }: StrategyContext): void {
  const finalizer = cleanupFinalizer(identifiers);
  if (!finalizersOf(crd).includes(finalizer)) setFinalizers(crd, [...finalizersOf(crd), finalizer]);
  const { status } = withCondition(crd, {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  });
  crd['status'] = status ?? {};
}

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
