import { serverUser } from '../../meta/user-info.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { forbidden } from '../forbidden.ts';

/**
 * Refuses every write but the server's own, without which it would never be ready. Deprecated by
 * Kubernetes; of use in tests.
 */
export function alwaysDeny(): AdmissionPlugin {
  return {
    name: 'AlwaysDeny',
    operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
    mutate: refuse,
    validate: refuse,
  };
}

function refuse(attributes: AdmissionAttributes): void {
  if (attributes.user === serverUser) return;
  throw forbidden(attributes, 'admission control is denying all modifications');
}
