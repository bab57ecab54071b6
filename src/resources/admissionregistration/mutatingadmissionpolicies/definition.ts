import type { MutatingAdmissionPolicy } from '../../../gen/stored/admissionregistration-v1.ts';
import { builtIn } from '../../built-in.ts';
import { policyColumns } from '../../rules/policies/policy-columns.ts';
import { mutatingPolicyVersions } from '../../rules/policies/policy-versions.ts';
import { validateExpressions } from './validate-expressions.ts';
import { validatePolicy } from './validate.ts';

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
