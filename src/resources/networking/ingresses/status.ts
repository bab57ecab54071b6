import type { JsonObject } from '../../../meta/json-value.ts';
import { type FieldError, notSupported } from '../../../status/field-error.ts';
import { numberAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { checkEach } from '../../rules/fields/check.ts';
import { checkLoadBalancerStatus } from '../../rules/fields/load-balancer-status.ts';
import { checkPortNumber } from '../../rules/fields/port.ts';

/** All errors of a status that is written through `ingresses/status` (spec 2.3, IngressStatus). */
export function validateIngressStatus(ingress: JsonObject): FieldError[] {
  const status = objectAt(ingress, 'status', 'loadBalancer');
  return [
    ...checkLoadBalancerStatus('status.loadBalancer', status),
    ...checkEach('status.loadBalancer.ingress', objectsAt(status, 'ingress'), (point, path) =>
      checkEach(`${path}.ports`, objectsAt(point, 'ports'), portErrors),
    ),
  ];
}

const protocols = ['SCTP', 'TCP', 'UDP'];

/**
 * Checks a port of a status. `error` is not checked: CamelCase is only a convention, which some
 * providers do not follow.
 */
function portErrors(port: JsonObject, path: string): FieldError[] {
  const protocol = stringAt(port, 'protocol');
  return [
    ...checkPortNumber(`${path}.port`, numberAt(port, 'port') ?? 0),
    ...(protocols.includes(protocol) ? [] : [notSupported(`${path}.protocol`, protocol, protocols)]),
  ];
}
