import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { checkEach, checkString } from './field-checks.ts';
import { checkHostNotIp } from './port.ts';
import { checkIp } from './ip.ts';

/** An address of a load balancer. */
type IngressPoint = { readonly ip?: string; readonly hostname?: string };

/** Checks the ingress points of `status.loadBalancer`, of a Service or an Ingress. */
export function checkLoadBalancerStatus(
  field: string,
  { ingress = [] }: { readonly ingress?: readonly IngressPoint[] },
): readonly FieldError[] {
  return checkEach(`${field}.ingress`, ingress, ({ ip, hostname }, path) => [
    ...(ip ? checkIp(`${path}.ip`, ip) : []),
    ...(hostname ? checkString(`${path}.hostname`, hostname, validateDnsSubdomain) : []),
    ...(hostname ? checkHostNotIp(`${path}.hostname`, hostname) : []),
  ]);
}

/** An object with the status of a load balancer. */
type Balanced = {
  readonly status: {
    readonly loadBalancer: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] };
  };
};

/** The addresses or host names of a status with a load balancer, sorted, each once. */
export function loadBalancerAddresses({ status }: Balanced): readonly string[] {
  const { ingress = [] } = status.loadBalancer;
  const addresses = ingress.map(({ ip, hostname = '' }) => ip || hostname);
  return [...new Set(addresses)].filter((address) => address !== '').toSorted();
}
