import type { MutatingAdmissionPolicy, Mutation } from '../../../gen/stored/admissionregistration-v1.ts';
import { builtIn } from '../../built-in.ts';
import { policyColumns } from '../../rules/policies/policy-columns.ts';
import { mutatingPolicyVersions } from '../../rules/policies/policy-versions.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { checkMatchConditions, withTrimmedConditions } from '../../rules/expressions/check-match-conditions.ts';
import { checkMatchResources } from '../../rules/policies/match-resources.ts';
import { checkParamKind } from '../../rules/policies/check-param-kind.ts';
import { checkVariable } from '../../rules/policies/policy-variables.ts';
import { compileMutating } from '../../../admission/policies/mutating/mutating-policy.ts';
import { type MaybeAsync, runMaybeAsync } from '../../../async/maybe-promise.ts';
import { sameValue } from '../../../meta/read-field.ts';
import type { ValidateRules } from '../../../scheme/model/schema.ts';
import { environmentsOf } from '../../rules/expressions/expression-environments.ts';
import { conditionErrors, expressionErrors, variableErrors } from '../../rules/expressions/expression-errors.ts';

/** Compiles the expressions of a written policy and returns their errors. */
const validateExpressions: ValidateRules = (object, { old, release }) =>
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

/** Trims the expressions: messages show them, and offsets in them, without surrounding space. */
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

/** The resource `mutatingadmissionpolicies` of the group `admissionregistration`. */
export const mutatingAdmissionPolicies = builtIn<MutatingAdmissionPolicy>({
  group: 'admissionregistration',
  resource: 'mutatingadmissionpolicies',
  kind: 'MutatingAdmissionPolicy',
  versions: mutatingPolicyVersions,
  categories: ['api-extensions'],
  columns: policyColumns<MutatingAdmissionPolicy>([
    'Mutations',
    'Number of changes in the policy.',
    ({ spec: { mutations = [] } }) => mutations.length,
  ]),
  strategy: {
    plainFinalizers: true,
    generation: true,
    validate: validatePolicy,
    validateRules: validateExpressions,
    allowUnconditionalUpdate: false,
  },
});

/** Validates a policy. */
function validatePolicy(policy: MutatingAdmissionPolicy): readonly FieldError[] {
  const spec = new FieldCursor(policy).at('spec');
  checkParamKind(spec.at('paramKind'));
  const match = spec.at('matchConstraints');
  checkMatchResources(match, 'not DELETE');
  if (match.value && !match.value.resourceRules?.length) match.at('resourceRules').reportRequired();
  checkMatchConditions(spec.at('matchConditions'));
  for (const variable of spec.each('variables')) checkVariable(variable);
  for (const mutation of spec.each('mutations')) checkMutation(mutation);
  return spec.errors;
}

/** The field of each patch type. */
const patchFields = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const;

function checkMutation(mutation: FieldCursor<Mutation>): void {
  const { patchType } = mutation.value;
  if (patchType !== 'ApplyConfiguration' && patchType !== 'JSONPatch') return;
  for (const [type, field] of Object.entries(patchFields)) {
    const patch = mutation.at(field);
    if (type !== patchType) {
      if (patch.value) patch.reportInvalid(`must not be specified when patchType is ${patchType}`, `{${field}}`);
    } else if (!patch.value) patch.reportRequired(`must be specified when patchType is ${patchType}`);
    else if ((patch.value.expression ?? '').trim() === '') {
      patch.at('expression').reportRequired();
    }
  }
}
