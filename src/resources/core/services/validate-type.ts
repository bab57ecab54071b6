import type { Service, ServiceSpec } from '../../../gen/stored/core-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { getOwn } from '../../../meta/json-value.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { duplicate, forbidden, invalid } from '../../../status/field-error.ts';
import { checkString } from '../../rules/fields/check.ts';
import { isCidr } from '../../rules/fields/ip.ts';
import { needsHealthPort, needsNodePort } from './held-items.ts';

/** Checks fields that only some types of Service may have. */
export function checkTypeFields(service: FieldCursor<Service>, { labelDomain }: Identifiers): void {
  const spec = service.at('spec');
  checkNodePorts(spec);
  checkSourceRanges(service, `service.beta.${labelDomain}/load-balancer-source-ranges`);
  if (!isBalancer(spec.value)) {
    for (const name of ['allocateLoadBalancerNodePorts', 'loadBalancerClass'] as const) {
      // An empty class is set, too.
      if (spec.value[name] !== undefined) spec.at(name).reportForbidden(balancersOnly);
    }
  }
  checkTrafficPolicy(spec);
  for (const port of spec.each('ports')) {
    const { value, path } = port.at('appProtocol');
    if (value !== undefined) port.report(...checkString(path, value, validateQualifiedName));
  }
}

function checkNodePorts(spec: FieldCursor<ServiceSpec>): void {
  const seen = new Set<string>();
  for (const port of spec.each('ports')) {
    const { nodePort = 0, protocol } = port.value;
    if (nodePort === 0) continue;
    const field = `${port.path}.nodePort`;
    if (spec.value.type === 'ClusterIP') {
      port.report(forbidden(field, "may not be used when `type` is 'ClusterIP'"));
      continue;
    }
    const identity = `${protocol}/${nodePort}`;
    if (seen.has(identity)) port.report(duplicate(field, nodePort));
    seen.add(identity);
  }
}

/**
 * Refuses a load balancer with several protocols, which few clouds support. A Service that had
 * several protocols before, of any type, may keep them.
 */
export function checkMixedProtocols(spec: FieldCursor<ServiceSpec>, old: Service | undefined): void {
  if (!isBalancer(spec.value) || !isMixed(spec.value) || (old && isMixed(old.spec))) return;
  spec.at('ports').reportInvalid("may not contain more than 1 protocol when type is 'LoadBalancer'");
}

function isMixed({ ports = [] }: ServiceSpec): boolean {
  return new Set(ports.map(({ protocol }) => protocol)).size > 1;
}

/**
 * Checks the source ranges of a load balancer, from the field or, if that is empty, from the older
 * annotation.
 */
function checkSourceRanges(service: FieldCursor<Service>, annotation: string): void {
  const { spec, metadata } = service.value;
  const { loadBalancerSourceRanges: ranges = [] } = spec;
  const old = getOwn(metadata.annotations ?? {}, annotation);
  if (ranges.length === 0 && typeof old !== 'string') return;
  const text = typeof old === 'string' ? old : '';
  // The capital letter is that of kube-apiserver.
  const [field, shown, given] =
    ranges.length > 0
      ? ['spec.LoadBalancerSourceRanges', ranges, ranges]
      : [`metadata.annotations[${annotation}]`, text, text.trim() === '' ? [] : text.trim().split(',')];
  if (!isBalancer(spec)) service.report(forbidden(field, balancersOnly));
  if (!given.every((range) => isCidr(range.trim()))) service.report(invalid(field, shown, rangeExample));
}

const balancersOnly = "may only be used when `type` is 'LoadBalancer'";
const rangeExample = 'must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ';

function isBalancer({ type }: ServiceSpec): boolean {
  return type === 'LoadBalancer';
}

function checkTrafficPolicy(spec: FieldCursor<ServiceSpec>): void {
  const policy = spec.at('externalTrafficPolicy');
  const healthPort = spec.at('healthCheckNodePort');
  if (policy.isSet && !['Cluster', 'Local'].includes(policy.value ?? '')) {
    policy.reportInvalid('ExternalTrafficPolicy must be empty, Cluster or Local');
  }
  if ((healthPort.value ?? 0) < 0) healthPort.reportInvalid('HealthCheckNodePort must be not less than 0');
  if (policy.isSet && !needsNodePort(spec.value)) {
    policy.reportInvalid('ExternalTrafficPolicy can only be set on NodePort and LoadBalancer service');
  }
  if (healthPort.value && !needsHealthPort(spec.value)) {
    const where = 'LoadBalancer service with ExternalTrafficPolicy=Local';
    healthPort.reportInvalid(`HealthCheckNodePort can only be set on ${where}`);
  }
}
