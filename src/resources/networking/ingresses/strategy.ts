import type { Ingress } from '../../../gen/stored/networking-v1.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, notSupported } from '../../../status/field-error.ts';
import { checkLoadBalancerStatus } from '../../rules/fields/load-balancer-status.ts';
import { validateIngress, validateIngressClassChoice } from './validate.ts';

/** The strategy of ingresses (spec 2.3, 4.3). */
export const strategy: Strategy<Ingress> = {
  validate: validateIngress,
  validateCreate: (ingress, { identifiers }) => validateIngressClassChoice(ingress, identifiers),
  subresources: { status: { validateUpdate: statusErrors } },
};

const protocols = ['SCTP', 'TCP', 'UDP'];

/**
 * Checks a status. The `error` of a port is not checked: CamelCase is only a convention, which some
 * providers do not follow.
 */
function statusErrors(ingress: Ingress): readonly FieldError[] {
  const status = new FieldCursor(ingress).at('status').at('loadBalancer');
  status.report(...checkLoadBalancerStatus(status.path, status.value));
  for (const point of status.each('ingress')) {
    for (const port of point.each('ports')) {
      const { value, path } = port.at('protocol');
      if (!protocols.includes(value)) port.report(notSupported(path, value, protocols));
    }
  }
  return status.errors;
}
