import { runInTurns } from '../../../async/run-in-turns.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { objectAt, sameValue } from '../../../meta/read-field.ts';
import type { ValidateRules } from '../../../scheme/schema.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { checkExpressions } from '../expression-rules/check-expressions.ts';
import { partsOfVersions } from './spec-parts.ts';

/**
 * Checks the expressions in the schemas of a definition, which may have many. Their types follow
 * from a valid schema only, so that nothing else may be wrong. Writes that leave the spec as it is
 * are not checked.
 */
export const validateExpressions: ValidateRules = (crd, { old, found }) => {
  const spec = objectAt(crd, 'spec');
  if (found.length > 0 || (old && sameValue(spec, objectAt(old, 'spec')))) return [];
  return runInTurns(checkVersions(spec));
};

function* checkVersions(spec: JsonObject): Generator<void, readonly FieldError[]> {
  const { top, versions } = partsOfVersions(spec);
  const errors: FieldError[] = [];
  const schemas = [
    ['spec.validation', top] as const,
    ...versions.map((version, index) => [`spec.versions[${index}].schema`, version] as const),
  ];
  for (const [path, part] of schemas) {
    errors.push(...(yield* checkExpressions(`${path}.openAPIV3Schema`, objectAt(part, 'schema', 'openAPIV3Schema'))));
  }
  return errors;
}
