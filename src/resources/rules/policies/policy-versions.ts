/** The versions of validating policies and their bindings, by release. */
export const validatingPolicyVersions = {
  v1: { introduced: '1.30' },
  v1beta1: {
    introduced: '1.28',
    optIn: true,
    gate: 'ValidatingAdmissionPolicy',
    deprecated: { since: '1.31', removed: '1.34' },
  },
  v1alpha1: {
    introduced: '1.26',
    optIn: true,
    gate: 'ValidatingAdmissionPolicy',
    // No release that serves this version warns of it.
    deprecated: { since: '1.32', removed: '1.32' },
  },
} as const;

/** The versions of mutating policies and their bindings, by release. */
export const mutatingPolicyVersions = {
  v1: { introduced: '1.36' },
  v1beta1: { introduced: '1.34', optIn: true, gate: 'MutatingAdmissionPolicy' },
  v1alpha1: {
    introduced: '1.32',
    optIn: true,
    gate: 'MutatingAdmissionPolicy',
    deprecated: { since: '1.35', removed: '1.38' },
  },
} as const;
