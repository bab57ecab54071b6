import type { ValidatingAdmissionPolicy } from '../../../gen/stored/admissionregistration-v1.ts';
import { builtIn } from '../../built-in.ts';
import { keepMetadata } from '../../rules/fields/keep-metadata.ts';
import { policyColumns } from '../../rules/policies/policy-columns.ts';
import { validatingPolicyVersions } from '../../rules/policies/policy-versions.ts';
import { statusSubresource } from '../../subresources.ts';
import { validatePolicy, validatePolicyStatus } from './validate.ts';
import { compileValidating } from '../../../admission/policies/validating/validating-policy.ts';
import { type MaybeAsync, runMaybeAsync } from '../../../async/maybe-promise.ts';
import { sameValue } from '../../../meta/read-field.ts';
import type { ValidateRules } from '../../../scheme/model/schema.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { environmentsOf } from '../../rules/expressions/expression-environments.ts';
import { withTrimmedConditions } from '../../rules/expressions/check-match-conditions.ts';
import { conditionErrors, expressionErrors, variableErrors } from '../../rules/expressions/expression-errors.ts';

/** Compiles the expressions of a written policy and returns their errors. */
const validateExpressions: ValidateRules = (object, { old, release }) =>
  runMaybeAsync(errorsOf(object as ValidatingAdmissionPolicy, old as ValidatingAdmissionPolicy | undefined, release));

function* errorsOf(
  { spec }: ValidatingAdmissionPolicy,
  old: ValidatingAdmissionPolicy | undefined,
  release: string,
): MaybeAsync<void, readonly FieldError[]> {
  const { variables, validations, annotations, conditions } = yield* compileValidating(
    withTrimmedConditions(spec),
    environmentsOf(release, old?.spec),
  );
  const areConditionsKept =
    old !== undefined &&
    sameValue(spec.matchConditions, old.spec.matchConditions) &&
    sameValue(spec.paramKind, old.spec.paramKind);
  return [
    ...(areConditionsKept ? [] : conditionErrors('spec.matchConditions', conditions)),
    ...variableErrors(spec.variables ?? [], variables),
    ...validations.flatMap(({ condition, message }, index) => [
      ...expressionErrors(`spec.validations[${index}].expression`, condition),
      ...(message ? expressionErrors(`spec.validations[${index}].messageExpression`, message) : []),
    ]),
    ...annotations.flatMap(({ source, value }, index) =>
      value.error === undefined || value.text === ''
        ? []
        : [invalid(`spec.auditAnnotations[${index}].valueExpression`, source.valueExpression, value.error)],
    ),
  ];
}

/** The resource `validatingadmissionpolicies` of the group `admissionregistration`. */
export const validatingAdmissionPolicies = builtIn<ValidatingAdmissionPolicy>({
  group: 'admissionregistration',
  resource: 'validatingadmissionpolicies',
  kind: 'ValidatingAdmissionPolicy',
  versions: validatingPolicyVersions,
  categories: ['api-extensions'],
  subresources: [{ ...statusSubresource, introduced: '1.27' }],
  columns: policyColumns<ValidatingAdmissionPolicy>([
    'Validations',
    'Number of rules in the policy.',
    ({ spec: { validations = [] } }) => validations.length,
  ]),
  strategy: {
    plainFinalizers: true,
    validate: validatePolicy,
    validateRules: validateExpressions,
    allowUnconditionalUpdate: false,
    subresources: { status: { ...keepMetadata(), validateUpdate: validatePolicyStatus } },
  },
});
