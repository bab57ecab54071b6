import type { AdmissionPlugin } from '../admission.ts';

/** Admits every request. Deprecated by Kubernetes; only its name is of use, in old flags. */
export function alwaysAdmit(): AdmissionPlugin {
  return { name: 'AlwaysAdmit', operations: [] };
}
