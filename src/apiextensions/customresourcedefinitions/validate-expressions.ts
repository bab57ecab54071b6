import { type MaybeAsync, runMaybeAsync } from '../../async/maybe-promise.ts';
import type { CustomResourceDefinition, CustomResourceDefinitionSpec } from '../../gen/stored/apiextensions-v1.ts';
import { sameValue } from '../../meta/read-field.ts';
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
  // The schema guarantees the types.
  const [next, before] = [crd, old] as unknown as [CustomResourceDefinition, CustomResourceDefinition | undefined];
  if (found.length > 0 || (before && sameValue(next.spec, before.spec))) return [];
  return runMaybeAsync(checkVersions(next.spec, before?.spec, ruleBudget(objectBudget)));
};

function* checkVersions(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinitionSpec | undefined,
  budget: RuleBudget,
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
    const found = yield* checkExpressions(at, schema, { isKept, rest: budget.rest });
    errors.push(...found, ...(found.length === 0 ? yield* checkDefaultsByRules(at, schema, budget) : []));
  }
  return errors;
}
