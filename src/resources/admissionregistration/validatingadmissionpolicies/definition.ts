import type { ValidatingAdmissionPolicy } from '../../../gen/stored/admissionregistration-v1.ts';
import { builtIn } from '../../built-in.ts';
import { keepMetadata } from '../../rules/fields/keep-metadata.ts';
import { policyColumns } from '../../rules/policies/policy-columns.ts';
import { validatingPolicyVersions } from '../../rules/policies/policy-versions.ts';
import { statusSubresource } from '../../subresources.ts';
import { validateExpressions } from './validate-expressions.ts';
import { validatePolicy, validatePolicyStatus } from './validate.ts';

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
