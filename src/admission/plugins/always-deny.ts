import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { forbidden } from '../forbidden.ts';

/** Refuses every write, also those of the server. Deprecated by Kubernetes; of use in tests. */
export function alwaysDeny(): AdmissionPlugin {
  return {
    name: 'AlwaysDeny',
    operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
    mutate: refuse,
    validate: refuse,
  };
}

function refuse(attributes: AdmissionAttributes): never {
  throw forbidden(attributes, 'admission control is denying all modifications');
}
