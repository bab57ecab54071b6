import type { Service, ServicePort, ServiceSpec } from '../../../gen/stored/core-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import {
  validateDnsLabel,
  validateDnsSubdomain,
  validatePortName,
  validateQualifiedName,
} from '../../../meta/validate-name.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { duplicate, type FieldError, invalid, forbidden, notSupported } from '../../../status/field-error.ts';
import { checkString } from '../../rules/fields/field-checks.ts';
import { checkIpAddress, checkPlainIp, isCidr } from '../../rules/fields/ip.ts';
import { checkLabels } from '../../rules/fields/labels.ts';
import { checkPortNumber } from '../../rules/fields/port.ts';
import { headless, isReachable, needsHealthPort } from './held-items.ts';
import { getOwn } from '../../../meta/json-value.ts';

/** Checks fields that only some types of Service may have. */
function checkTypeFields(
  service: FieldCursor<Service>,
  { labelDomain }: Identifiers,
  emulated: EmulatedRelease,
  old: Service | undefined,
): void {
  const spec = service.at('spec');
  checkNodePorts(spec);
  checkSourceRanges(service, `service.beta.${labelDomain}/load-balancer-source-ranges`);
  if (!isBalancer(spec.value)) {
    for (const name of ['allocateLoadBalancerNodePorts', 'loadBalancerClass'] as const) {
      // An empty class is set, too.
      if (spec.value[name] !== undefined) spec.at(name).reportForbidden(balancersOnly);
    }
  }
  checkTrafficPolicy(spec, emulated, old?.spec);
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
function checkMixedProtocols(spec: FieldCursor<ServiceSpec>, old: Service | undefined): void {
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
  // kube-apiserver has the capital letter, too.
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

/** A policy that a later release gave to a Service of the same type may stay. */
function checkTrafficPolicy(
  spec: FieldCursor<ServiceSpec>,
  emulated: EmulatedRelease,
  old: ServiceSpec | undefined,
): void {
  const policy = spec.at('externalTrafficPolicy');
  const healthPort = spec.at('healthCheckNodePort');
  if (isSince(emulated.release, '1.27')) {
    checkReachable(spec, emulated);
    return;
  }
  if (policy.isSet && !['Cluster', 'Local'].includes(policy.value ?? '')) {
    policy.reportInvalid('ExternalTrafficPolicy must be empty, Cluster or Local');
  }
  if ((healthPort.value ?? 0) < 0) healthPort.reportInvalid('HealthCheckNodePort must be not less than 0');
  const isKept = old?.type === spec.value.type && old.externalTrafficPolicy === policy.value;
  if (policy.isSet && !isKept && !isReachable(spec.value, emulated)) {
    policy.reportInvalid('ExternalTrafficPolicy can only be set on NodePort and LoadBalancer service');
  }
  if (healthPort.value && !needsHealthPort(spec.value)) {
    const where = 'LoadBalancer service with ExternalTrafficPolicy=Local';
    healthPort.reportInvalid(`HealthCheckNodePort can only be set on ${where}`);
  }
}

/** Checks external traffic, in releases where each Service reachable from outside has a policy. */
function checkReachable(spec: FieldCursor<ServiceSpec>, emulated: EmulatedRelease): void {
  const [policy, healthPort] = [spec.at('externalTrafficPolicy'), spec.at('healthCheckNodePort')];
  if (isReachable(spec.value, emulated)) policy.mustBeOneOf(['Cluster', 'Local']);
  else if (policy.isSet) policy.reportInvalid('may only be set for externally-accessible services');
  if (needsHealthPort(spec.value)) {
    if (healthPort.value) spec.report(...checkPortNumber(healthPort.path, healthPort.value));
  } else if (healthPort.value) {
    healthPort.reportInvalid("may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
  }
}

/** All errors of a Service. */
export function validateService(
  service: Service,
  { identifiers, emulated }: Pick<StrategyContext, 'identifiers' | 'emulated'>,
  old?: Service,
): readonly FieldError[] {
  const cursor = new FieldCursor(service);
  const spec = cursor.at('spec');
  if (old) checkAddressChange(spec, old.spec);
  if (needsPorts(spec.value) && !spec.value.ports?.length) spec.at('ports').reportRequired();
  checkAgentPort(spec, identifiers.nodeAgent);
  checkType(spec);
  checkPorts(spec);
  spec.report(...checkLabels('spec.selector', spec.value.selector));
  checkAffinity(spec);
  checkAddresses(spec);
  checkTypeFields(cursor, identifiers, emulated, old);
  checkSamePorts(spec);
  // Since release 1.27 load balancers may have several protocols.
  if (!isSince(emulated.release, '1.27')) checkMixedProtocols(spec, old);
  checkDistribution(spec, emulated);
  return cursor.errors;
}

/** The traffic distributions that prefer near endpoints; the first is the oldest. */
const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];

function checkDistribution(spec: FieldCursor<ServiceSpec>, { release, isFeatureEnabled }: EmulatedRelease): void {
  const { value, path, errors } = spec.at('trafficDistribution');
  const knowsAll = isSince(release, '1.33') && isFeatureEnabled('PreferSameTrafficDistribution');
  const known = knowsAll ? distributions : distributions.slice(0, 1);
  if (value !== undefined && !known.includes(value)) errors.push(notSupported(path, value, known));
}

function needsPorts({ clusterIP, type }: ServiceSpec): boolean {
  return clusterIP !== headless && type !== 'ExternalName';
}

function checkPorts(spec: FieldCursor<ServiceSpec>): void {
  const names = new Set<string>();
  const needsNames = (spec.value.ports ?? []).length > 1;
  for (const port of spec.each('ports')) {
    const name = port.at('name');
    if (needsNames) name.mustBeSet();
    name.mustBe(validateDnsLabel);
    name.mustBeUnique(names);
    checkTarget(port.at('targetPort'));
  }
}

function checkTarget({ value, path, errors }: FieldCursor<ServicePort['targetPort']>): void {
  if (typeof value === 'number') errors.push(...checkPortNumber(path, value));
  if (typeof value === 'string') errors.push(...checkString(path, value, validatePortName));
}

/** Checks that each pair of protocol and number occurs once. */
function checkSamePorts(spec: FieldCursor<ServiceSpec>): void {
  const seen = new Set<string>();
  for (const port of spec.each('ports')) {
    const { protocol, port: number } = port.value;
    const identity = `${protocol}/${number}`;
    // The error shows only the fields that make two ports equal.
    if (seen.has(identity)) port.report(duplicate(port.path, { protocol, port: number }));
    seen.add(identity);
  }
}

/** Maximum duration of session affinity, in seconds: one day. */
const stickyLimitSeconds = 86_400;

function checkAffinity(spec: FieldCursor<ServiceSpec>): void {
  if (spec.value.sessionAffinity !== 'ClientIP') return;
  const seconds = spec.at('sessionAffinityConfig').at('clientIP').at('timeoutSeconds');
  const { value = 0 } = seconds;
  if (value <= 0 || value > stickyLimitSeconds) {
    seconds.reportInvalid(`must be greater than 0 and less than ${stickyLimitSeconds}`, value);
  }
}

function checkAddresses(spec: FieldCursor<ServiceSpec>): void {
  const { clusterIPs = [] } = spec.value;
  for (const { value, path, errors } of spec.each('clusterIPs')) {
    if (value !== headless || clusterIPs.length > 1) errors.push(...checkIpAddress(path, value));
  }
  checkAddressList(spec, clusterIPs);
  const families = new Set<string>();
  for (const family of spec.each('ipFamilies')) family.mustBeUnique(families);
  for (const { value, path, errors } of spec.each('externalIPs')) errors.push(...checkPlainIp(path, value));
}

/**
 * Checks `clusterIPs`: the first equals `clusterIP`, and there is at most one address of each IP
 * family.
 */
function checkAddressList(spec: FieldCursor<ServiceSpec>, [first, second, third]: readonly string[]): void {
  if (first === undefined) return;
  const list = spec.at('clusterIPs');
  if (first !== (spec.value.clusterIP ?? '')) list.reportInvalid('first value must match `clusterIP`');
  if (third !== undefined) list.reportInvalid('may only hold up to 2 values');
  else if (second !== undefined && first.includes(':') === second.includes(':')) {
    list.reportInvalid('may specify no more than one IP for each IP family');
  }
}

function checkType(spec: FieldCursor<ServiceSpec>): void {
  const { type, clusterIP } = spec.value;
  if (type === 'ExternalName') {
    if (clusterIP) spec.at('clusterIPs').reportForbidden('may not be set for ExternalName services');
    const name = spec.at('externalName');
    name.mustBeSet();
    name.mustBe(externalNameMessages);
  }
  if ((type === 'LoadBalancer' || type === 'NodePort') && clusterIP === headless) {
    spec.report(invalid('spec.clusterIPs[0]', clusterIP, `may not be set to 'None' for ${type} services`));
  }
}

/** The port of the kubelet. A load balancer in front of it would expose the nodes. */
const agentPort = 10_250;

function checkAgentPort(spec: FieldCursor<ServiceSpec>, nodeAgent: string): void {
  if (spec.value.type !== 'LoadBalancer') return;
  for (const port of spec.each('ports')) {
    if (port.value.port === agentPort) {
      port.reportInvalid(`may not expose port ${agentPort} externally since it is used by ${nodeAgent}`, agentPort);
    }
  }
}

/** Checks an external name. The final dot of a fully qualified name is allowed. */
function externalNameMessages(name: string): readonly string[] {
  return validateDnsSubdomain(name.endsWith('.') ? name.slice(0, -1) : name);
}

/** Refuses a change of the cluster IP, unless the Service was or becomes an ExternalName. */
function checkAddressChange(spec: FieldCursor<ServiceSpec>, old: ServiceSpec): void {
  const { clusterIPs = [], type } = spec.value;
  const [before] = old.clusterIPs ?? [];
  if (type === 'ExternalName' || old.type === 'ExternalName') return;
  if (before === undefined || before === clusterIPs[0]) return;
  const why = clusterIPs.length === 0 ? 'primary clusterIP can not be unset' : 'may not change once set';
  spec.report(invalid('spec.clusterIPs[0]', [...clusterIPs], why));
}
