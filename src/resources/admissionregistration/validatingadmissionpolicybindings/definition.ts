import type { ValidatingAdmissionPolicyBinding } from '../../../gen/stored/admissionregistration-v1.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { isSince } from '../../../scheme/api-release.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { builtIn } from '../../built-in.ts';
import { checkMatchResources } from '../../rules/policies/match-resources.ts';
import { bindingColumns } from '../../rules/policies/policy-columns.ts';
import { checkParamRef, defaultParamRef } from '../../rules/policies/check-param-kind.ts';
import { validatingPolicyVersions } from '../../rules/policies/policy-versions.ts';

/** The resource `validatingadmissionpolicybindings` of the group `admissionregistration`. */
export const validatingAdmissionPolicyBindings = builtIn<ValidatingAdmissionPolicyBinding>({
  group: 'admissionregistration',
  resource: 'validatingadmissionpolicybindings',
  kind: 'ValidatingAdmissionPolicyBinding',
  versions: validatingPolicyVersions,
  categories: ['api-extensions'],
  columns: bindingColumns,
  strategy: {
    plainFinalizers: true,
    generation: true,
    default: defaultParamRef,
    validate: validateBinding,
    allowUnconditionalUpdate: false,
  },
});

const repeated =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';

function validateBinding(
  binding: ValidatingAdmissionPolicyBinding,
  { emulated }: Pick<StrategyContext, 'emulated'>,
  old?: ValidatingAdmissionPolicyBinding,
): readonly FieldError[] {
  const spec = new FieldCursor(binding).at('spec');
  checkParamRef(spec.at('paramRef'));
  checkMatchResources(spec.at('matchResources'));
  const { validationActions = [] } = spec.value;
  const actions = new Set<unknown>();
  // Bindings of release 1.26 have none, and may stay so.
  const hadNone = old !== undefined && !old.spec.validationActions?.length;
  if (validationActions.length === 0 && isSince(emulated.release, '1.27') && !hadNone) {
    spec.at('validationActions').reportRequired('at least one validation action is required');
  }
  for (const action of spec.each('validationActions')) action.mustBeUnique(actions);
  if (validationActions.includes('Deny') && validationActions.includes('Warn')) {
    spec.at('validationActions').reportInvalid(repeated);
  }
  return spec.errors;
}
