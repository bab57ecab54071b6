import type { CompiledExpression } from '../../../admission/expressions/compile-expression.ts';
import type { ComposedVariables } from '../../../admission/expressions/compose-variables.ts';
import type { CompiledConditions } from '../../../admission/expressions/compile-conditions.ts';
import { noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';

/**
 * The error of an expression that does not compile. Empty expressions are reported by other rules.
 */
export function expressionErrors(field: string, { text, error }: CompiledExpression): readonly FieldError[] {
  return error === undefined || text.trim() === '' ? noErrors : [invalid(field, text, error)];
}

/** The errors of match conditions. */
export function conditionErrors(field: string, conditions: CompiledConditions | undefined): readonly FieldError[] {
  return (conditions?.expressions ?? []).flatMap((expression, index) =>
    expressionErrors(`${field}[${index}].expression`, expression),
  );
}

/** The errors of the variables of a policy. */
export function variableErrors(
  variables: readonly { readonly name: string }[],
  composed: ComposedVariables | undefined,
): readonly FieldError[] {
  return variables.flatMap(({ name }, index) => {
    const expression = composed?.expressions.get(name);
    return expression ? expressionErrors(`spec.variables[${index}].expression`, expression) : [];
  });
}
