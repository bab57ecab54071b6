import type { CustomResourceDefinition, CustomResourceDefinitionSpec } from '../../gen/stored/apiextensions-v1.ts';
import { builtIn } from '../../resources/built-in.ts';
import { statusSubresource } from '../../resources/subresources.ts';
import { definitionConversion } from './convert.ts';
import { deletionTimestampOf, finalizersOf, setFinalizers } from '../../meta/object-meta.ts';
import type { Strategy, StrategyContext } from '../../registry/definition/strategy.ts';
import { keepMetadata } from '../../resources/rules/fields/keep-metadata.ts';
import { cleanupFinalizer, isCleanupFinalizer } from './cleanup-finalizer.ts';
import { withCondition } from './definition-condition.ts';
import {
  validateDefinition,
  validateDefinitionName,
  validateDefinitionUpdate,
  validateNewDefinition,
} from './validate.ts';
import { formatWarnings } from './format-warnings.ts';
import { andThen, type MaybeAsync, runMaybeAsync } from '../../async/maybe-promise.ts';
import { objectAt, objectsAt, sameValue } from '../../meta/read-field.ts';
import { minorOf } from '../../scheme/api-release.ts';
import type { ValidateRules } from '../../scheme/model/schema.ts';
import type { FieldError } from '../../status/field-error.ts';
import { checkDefaultsByRules } from '../expression-rules/check-defaults-by-rules.ts';
import { checkExpressions } from '../expression-rules/check-expressions.ts';
import { ruleBudget, type RuleBudget } from '../expression-rules/run-rule.ts';
import type { EnvironmentOf } from '../expression-rules/compile-rules.ts';
import { objectBudget } from '../expression-rules/validate-rules.ts';
import { partsOfVersions } from './spec-parts.ts';
import { environmentOfNew, fullEnvironment } from '../../cel/functions/environment.ts';
import { isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { rulesOf } from '../expression-rules/validation-rule.ts';

/**
 * Checks the expressions in the schemas of a definition, which may have many. Their types follow
 * from a valid schema only, so that nothing else may be wrong. Writes that leave the spec as it is
 * are not checked.
 */
const validateExpressions: ValidateRules = (crd, { old, found, release, warn }) => {
  // The schema guarantees the types.
  const [next, before] = [crd, old] as unknown as [CustomResourceDefinition, CustomResourceDefinition | undefined];
  if (found.length > 0 || (before && sameValue(next.spec, before.spec))) return [];
  const environmentOf = environmentsOf(release, before?.spec);
  const budget = ruleBudget(objectBudget);
  const errors = runMaybeAsync(
    checkVersions(next.spec, before?.spec, { budget, environmentOf, release: minorOf(release) }),
  );
  return andThen(errors, (wrong) => {
    if (wrong.length === 0) formatWarnings(next.spec, before?.spec, release).forEach((text) => warn(text));
    return wrong;
  });
};

interface ExpressionsCheck {
  readonly budget: RuleBudget;
  readonly environmentOf: EnvironmentOf;
  /** The minor number of the release whose errors are reported. */
  readonly release: number;
}

function* checkVersions(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinitionSpec | undefined,
  { budget, environmentOf, release }: ExpressionsCheck,
): MaybeAsync<void, readonly FieldError[]> {
  const { top, versions } = partsOfVersions(spec.versions ?? []);
  const schemas = [
    { path: 'spec.validation', schema: top.schema, name: versions[0]?.name },
    ...versions.map(({ name, schema }, index) => ({ path: `spec.versions[${index}].schema`, schema, name })),
  ];
  const errors: FieldError[] = [];
  for (const { path, schema: part, name } of schemas) {
    const schema = part?.openAPIV3Schema ?? {};
    const at = `${path}.openAPIV3Schema`;
    // A schema that was accepted stays so if the estimates of another release are higher.
    const before = old?.versions?.find((version) => version.name === name);
    const isKept = name !== undefined && sameValue(schema, before?.schema?.openAPIV3Schema);
    const found = yield* checkExpressions(at, schema, { isKept, rest: budget.rest, environmentOf, release });
    errors.push(...found, ...(found.length === 0 ? yield* checkDefaultsByRules(at, schema, { budget, release }) : []));
  }
  return errors;
}

/** The strategy of CustomResourceDefinitions. */
const strategy: Strategy<CustomResourceDefinition> = {
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

/** The resource `customresourcedefinitions` of the group `apiextensions`. */
export const customResourceDefinitions = builtIn<CustomResourceDefinition>({
  group: 'apiextensions',
  resource: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  versions: {
    v1: { introduced: '1.16' },
    v1beta1: {
      introduced: '1.7',
      deprecated: { since: '1.16', removed: '1.22', replacement: 'v1' },
      conversion: definitionConversion,
    },
  },
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  subresources: [statusSubresource],
  strategy,
});

/** The first release that limits new rules; rules of older ones may use every function. */
const firstRelease = 27;

/**
 * Returns which environment each expression of a definition uses. New expressions have the
 * functions of the previous release, stored ones have all functions.
 */
function environmentsOf(release: string, old: CustomResourceDefinitionSpec | undefined): EnvironmentOf {
  const minor = minorOf(release);
  if (minor < firstRelease) return fullEnvironment;
  const kept = { rule: new Set<string>(), messageExpression: new Set<string>() };
  for (const { schema } of old?.versions ?? []) collectExpressions(schema?.openAPIV3Schema ?? {}, kept);
  return (part, text) => (kept[part].has(text) ? fullEnvironment() : environmentOfNew(minor));
}

function collectExpressions(
  schema: JsonObject,
  kept: Readonly<Record<'rule' | 'messageExpression', Set<string>>>,
): void {
  for (const { rule, messageExpression } of rulesOf(schema).rules) {
    kept.rule.add(rule);
    kept.messageExpression.add(messageExpression);
  }
  const parts = [...Object.values(objectAt(schema, 'properties')), schema['items'], schema['additionalProperties']];
  for (const part of [...parts.filter(isJsonObject), ...objectsAt(schema, 'allOf')]) collectExpressions(part, kept);
}
