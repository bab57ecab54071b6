import type { JsonObject } from '../../meta/json-value.ts';
import { objectAt, stringsAt } from '../../meta/read-field.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { forbidden } from '../forbidden.ts';

/**
 * Refuses new addresses in `externalIPs` of Services, which can take the traffic of others.
 * Existing addresses may stay and be removed (spec 4.10).
 */
export function denyServiceExternalIPs(): AdmissionPlugin {
  return {
    name: 'DenyServiceExternalIPs',
    operations: ['CREATE', 'UPDATE'],
    validate(attributes) {
      const { resource, object, oldObject = {} } = attributes;
      if (!object || resource.group !== '' || resource.resource !== 'services') return;
      const known = new Set(externalIPsOf(oldObject));
      if (externalIPsOf(object).every((address) => known.has(address))) return;
      throw forbidden(attributes, 'Use of external IPs is denied by admission control');
    },
  };
}

function externalIPsOf(service: JsonObject): readonly string[] {
  return stringsAt(objectAt(service, 'spec'), 'externalIPs');
}
