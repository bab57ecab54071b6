import type { CustomResourceDefinition } from '../../gen/stored/apiextensions-v1.ts';
import { deletionTimestampOf, finalizersOf, setFinalizers } from '../../meta/object-meta.ts';
import type { Strategy, StrategyContext } from '../../registry/definition/strategy.ts';
import { keepMetadata } from '../../resources/rules/fields/keep-metadata.ts';
import { cleanupFinalizer, isCleanupFinalizer } from './cleanup-finalizer.ts';
import { withCondition } from './conditions.ts';
import {
  validateDefinition,
  validateDefinitionName,
  validateDefinitionUpdate,
  validateNewDefinition,
} from './validate.ts';
import { validateExpressions } from './validate-expressions.ts';

/** The strategy of CustomResourceDefinitions. */
export const strategy: Strategy<CustomResourceDefinition> = {
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

/** Fills in the defaults that depend on other fields. Mutates. */
function defaultDefinition({ spec: { names, conversion } }: CustomResourceDefinition): void {
  names.singular ||= names.kind.toLowerCase();
  if (names.kind) names.listKind ||= `${names.kind}List`;
  const { webhook } = conversion;
  // kube-apiserver's storage version cannot express a webhook without content.
  if (!webhook?.clientConfig && !webhook?.conversionReviewVersions?.length) delete conversion.webhook;
}

/** Has the objects of a definition deleted before it goes. Mutates. */
function prepareForDelete(crd: CustomResourceDefinition, { identifiers }: StrategyContext): void {
  const finalizer = cleanupFinalizer(identifiers);
  if (!finalizersOf(crd).includes(finalizer)) setFinalizers(crd, [...finalizersOf(crd), finalizer]);
  crd.status = withCondition(crd, {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  }).status;
}

/** Fills in the storage version if a status has no stored versions. Mutates. */
function recordFirstVersion(crd: CustomResourceDefinition): void {
  if (!crd.status.storedVersions?.length) recordStoredVersion(crd);
}

/**
 * Adds the storage version to `status.storedVersions`, which lists all versions in which objects
 * may be stored. Mutates.
 */
function recordStoredVersion({ spec, status }: CustomResourceDefinition): void {
  const { name } = spec.versions?.find(({ storage }) => storage) ?? {};
  const { storedVersions = [] } = status;
  if (name !== undefined && !storedVersions.includes(name)) status.storedVersions = [...storedVersions, name];
}
