import { type MaybeAsync, runMaybeAsync } from '../../async/maybe-promise.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { objectAt, objectsAt, sameValue, stringAt } from '../../meta/read-field.ts';
import type { ValidateRules } from '../../scheme/model/schema.ts';
import type { FieldError } from '../../status/field-error.ts';
import { checkDefaultsByRules } from '../expression-rules/check-defaults-by-rules.ts';
import { checkExpressions } from '../expression-rules/check-expressions.ts';
import { ruleBudget, type RuleBudget } from '../expression-rules/run-rule.ts';
import { objectBudget } from '../expression-rules/validate-rules.ts';
import { partsOfVersions } from './spec-parts.ts';

/**
 * Checks the expressions in the schemas of a definition, which may have many. Their types follow
 * from a valid schema only, so that nothing else may be wrong. Writes that leave the spec as it is
 * are not checked.
 */
export const validateExpressions: ValidateRules = (crd, { old, found }) => {
  const spec = objectAt(crd, 'spec');
  if (found.length > 0 || (old && sameValue(spec, objectAt(old, 'spec')))) return [];
  const budget = ruleBudget(objectBudget);
  return runMaybeAsync(checkVersions(spec, old ? objectAt(old, 'spec') : {}, budget));
};

function* checkVersions(
  spec: JsonObject,
  oldSpec: JsonObject,
  budget: RuleBudget,
): MaybeAsync<void, readonly FieldError[]> {
  const { top, versions } = partsOfVersions(spec);
  const names = objectsAt(spec, 'versions').map((version) => stringAt(version, 'name'));
  const schemas = [
    { path: 'spec.validation', part: top, name: names[0] },
    ...versions.map((part, index) => ({ path: `spec.versions[${index}].schema`, part, name: names[index] })),
  ];
  const errors: FieldError[] = [];
  for (const { path, part, name } of schemas) {
    const schema = objectAt(part, 'schema', 'openAPIV3Schema');
    const at = `${path}.openAPIV3Schema`;
    // A schema that was accepted stays so if the estimates of another release are higher.
    const isKept = name !== undefined && sameValue(schema, schemaIn(oldSpec, name));
    const found = yield* checkExpressions(at, schema, { isKept, rest: budget.rest });
    errors.push(...found, ...(found.length === 0 ? yield* checkDefaultsByRules(at, schema, budget) : []));
  }
  return errors;
}

/** The schema of a version; empty if it has none. */
function schemaIn(spec: JsonObject, name: string): JsonObject {
  const version = objectsAt(spec, 'versions').find((one) => stringAt(one, 'name') === name);
  return version ? objectAt(version, 'schema', 'openAPIV3Schema') : {};
}
