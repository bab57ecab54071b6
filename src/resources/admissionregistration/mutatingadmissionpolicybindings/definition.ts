import type { MutatingAdmissionPolicyBinding } from '../../../gen/stored/admissionregistration-v1.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { builtIn } from '../../built-in.ts';
import { checkMatchResources } from '../../rules/policies/match-resources.ts';
import { bindingColumns } from '../../rules/policies/policy-columns.ts';
import { checkParamRef, defaultParamRef } from '../../rules/policies/check-param-kind.ts';
import { mutatingPolicyVersions } from '../../rules/policies/policy-versions.ts';

/** The resource `mutatingadmissionpolicybindings` of the group `admissionregistration`. */
export const mutatingAdmissionPolicyBindings = builtIn<MutatingAdmissionPolicyBinding>({
  group: 'admissionregistration',
  resource: 'mutatingadmissionpolicybindings',
  kind: 'MutatingAdmissionPolicyBinding',
  versions: mutatingPolicyVersions,
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

function validateBinding(binding: MutatingAdmissionPolicyBinding): readonly FieldError[] {
  const spec = new FieldCursor(binding).at('spec');
  checkParamRef(spec.at('paramRef'));
  checkMatchResources(spec.at('matchResources'), 'not DELETE');
  return spec.errors;
}
