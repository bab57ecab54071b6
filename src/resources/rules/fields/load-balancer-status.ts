import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { objectsAt, stringAt } from '../../../meta/read-field.ts';
import { checkEach, checkString } from './check.ts';
import { checkHostNotIp } from './host.ts';
import { checkIp } from './ip.ts';

/** Checks the ingress points of `status.loadBalancer`, of a Service or an Ingress. */
export function checkLoadBalancerStatus(field: string, status: JsonObject): readonly FieldError[] {
  return checkEach(`${field}.ingress`, objectsAt(status, 'ingress'), (point, path) => {
    const ip = stringAt(point, 'ip');
    const hostname = stringAt(point, 'hostname');
    return [
      ...(ip === '' ? [] : checkIp(`${path}.ip`, ip)),
      ...(hostname === '' ? [] : checkString(`${path}.hostname`, hostname, validateDnsSubdomain)),
      ...(hostname === '' ? [] : checkHostNotIp(`${path}.hostname`, hostname)),
    ];
  });
}
