import type { AdmissionPlugin } from '../admission.ts';
import { forbidden } from '../forbidden.ts';
import { isWriteTo } from '../is-write-to.ts';

/**
 * Refuses new addresses in `externalIPs` of Services, which can take the traffic of others.
 * Existing addresses may stay and be removed (spec 4.10).
 */
export function denyServiceExternalIPs(): AdmissionPlugin {
  return {
    name: 'DenyServiceExternalIPs',
    operations: ['CREATE', 'UPDATE'],
    validate(attributes) {
      if (!isWriteTo(attributes, '', 'services', 'CREATE', 'UPDATE')) return;
      const { object, oldObject } = attributes;
      const known = new Set(oldObject?.spec.externalIPs);
      if ((object.spec.externalIPs ?? []).every((address) => known.has(address))) return;
      throw forbidden(attributes, 'Use of external IPs is denied by admission control');
    },
  };
}
