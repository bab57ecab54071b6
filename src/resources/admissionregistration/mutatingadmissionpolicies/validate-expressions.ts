import { compileMutating } from '../../../admission/policies/mutating/mutating-policy.ts';
import { type MaybeAsync, runMaybeAsync } from '../../../async/maybe-promise.ts';
import type { MutatingAdmissionPolicy, Mutation } from '../../../gen/stored/admissionregistration-v1.ts';
import { sameValue } from '../../../meta/read-field.ts';
import type { ValidateRules } from '../../../scheme/model/schema.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { environmentsOf } from '../../rules/expressions/expression-environments.ts';
import { withTrimmedConditions } from '../../rules/expressions/match-conditions.ts';
import { conditionErrors, expressionErrors, variableErrors } from '../../rules/expressions/expression-errors.ts';

/** Compiles the expressions of a policy that is written. */
export const validateExpressions: ValidateRules = (object, { old, release }) =>
  runMaybeAsync(errorsOf(object as MutatingAdmissionPolicy, old as MutatingAdmissionPolicy | undefined, release));

function* errorsOf(
  { spec }: MutatingAdmissionPolicy,
  old: MutatingAdmissionPolicy | undefined,
  release: string,
): MaybeAsync<void, readonly FieldError[]> {
  const { variables, mutations, conditions } = yield* compileMutating(
    withTrimmed(spec),
    environmentsOf(release, old?.spec),
  );
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

/** Messages show expressions, and places in them, without the space around them. */
function withTrimmed(spec: MutatingAdmissionPolicy['spec']): MutatingAdmissionPolicy['spec'] {
  const mutations = spec.mutations?.map((mutation) => {
    const [jsonPatch, applyConfiguration] = [trimmed(mutation.jsonPatch), trimmed(mutation.applyConfiguration)];
    return { ...mutation, ...(jsonPatch ? { jsonPatch } : {}), ...(applyConfiguration ? { applyConfiguration } : {}) };
  });
  return { ...withTrimmedConditions(spec), ...(mutations ? { mutations } : {}) };
}

function trimmed(patch: Mutation['jsonPatch']): Mutation['jsonPatch'] {
  return patch && { ...patch, expression: (patch.expression ?? '').trim() };
}
