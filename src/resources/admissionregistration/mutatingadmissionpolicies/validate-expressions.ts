import { compileMutating } from '../../../admission/policies/mutating/mutating-policy.ts';
import { type MaybeAsync, runMaybeAsync } from '../../../async/maybe-promise.ts';
import type { MutatingAdmissionPolicy } from '../../../gen/stored/admissionregistration-v1.ts';
import { sameValue } from '../../../meta/read-field.ts';
import type { ValidateRules } from '../../../scheme/model/schema.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { environmentsOf } from '../../rules/expressions/expression-environments.ts';
import { conditionErrors, expressionErrors, variableErrors } from '../../rules/expressions/expression-errors.ts';

/** Compiles the expressions of a policy that is written. */
export const validateExpressions: ValidateRules = (object, { old, release }) =>
  runMaybeAsync(errorsOf(object as MutatingAdmissionPolicy, old as MutatingAdmissionPolicy | undefined, release));

function* errorsOf(
  { spec }: MutatingAdmissionPolicy,
  old: MutatingAdmissionPolicy | undefined,
  release: string,
): MaybeAsync<void, readonly FieldError[]> {
  const { variables, mutations, conditions } = yield* compileMutating(spec, environmentsOf(release, old?.spec));
  const areConditionsKept =
    old !== undefined &&
    sameValue(spec.matchConditions, old.spec.matchConditions) &&
    sameValue(spec.paramKind, old.spec.paramKind);
  return [
    ...(areConditionsKept ? [] : conditionErrors('spec.matchConditions', conditions)),
    ...variableErrors(spec.variables ?? [], variables),
    ...mutations.flatMap(({ type, expression }, index) => {
      const field = type === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
      return expressionErrors(`spec.mutations[${index}].${field}.expression`, expression);
    }),
  ];
}
