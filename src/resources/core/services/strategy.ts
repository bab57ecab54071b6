import type { Service, ServicePort, ServiceSpec } from '../../../gen/stored/core-v1.ts';
import { validateDns1035Label, validateDnsLabel, validateNameBase } from '../../../meta/validate-name.ts';
import type { Strategy, StrategyContext } from '../../../registry/definition/strategy.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, forbidden, notSupported, required } from '../../../status/field-error.ts';
import { checkLoadBalancerStatus } from '../../rules/fields/load-balancer-status.ts';
import { validateService } from './validate.ts';
import { sameValue } from '../../../meta/read-field.ts';
import { hasClusterIpType, isReachable, needsClusterIp, needsHealthPort, needsNodePort } from './held-items.ts';

/**
 * Completes an update from the old object, so that clients may omit allocated fields. Omitted
 * fields keep their values. Fields that the new type of Service does not have are removed, unless
 * the client changed them. Mutates `service`.
 */
function keepAllocated({ spec }: Service, { spec: old }: Service, emulated: EmulatedRelease): void {
  matchAddresses(spec, old);
  keepMissing(spec, old);
  for (const { has, fields } of typeFields) {
    if (!has(old, emulated) || has(spec, emulated)) continue;
    for (const field of fields) if (sameValue(spec[field], old[field])) delete spec[field];
  }
  if (needsNodePort(old) && !needsNodePort(spec)) dropNodePorts(spec, old);
}

/** Fields of a spec that may be missing. */
type OptionalField =
  | 'clusterIP'
  | 'clusterIPs'
  | 'ipFamilies'
  | 'ipFamilyPolicy'
  | 'internalTrafficPolicy'
  | 'externalTrafficPolicy'
  | 'healthCheckNodePort'
  | 'allocateLoadBalancerNodePorts'
  | 'loadBalancerClass'
  | 'externalName';

/** Fields that only some types of Service have. */
const typeFields: readonly {
  readonly has: (spec: ServiceSpec, emulated: EmulatedRelease) => boolean;
  readonly fields: readonly OptionalField[];
}[] = [
  {
    has: hasClusterIpType,
    fields: ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy'],
  },
  { has: isReachable, fields: ['externalTrafficPolicy'] },
  { has: needsHealthPort, fields: ['healthCheckNodePort'] },
  { has: hasType('LoadBalancer'), fields: ['allocateLoadBalancerNodePorts', 'loadBalancerClass'] },
  { has: hasType('ExternalName'), fields: ['externalName'] },
];

function hasType(type: string): (spec: ServiceSpec) => boolean {
  return (spec) => spec.type === type;
}

/** If the client changes `clusterIP` alone, `clusterIPs` follows. Mutates `spec`. */
function matchAddresses(spec: ServiceSpec, old: ServiceSpec): void {
  const { clusterIP } = spec;
  if (clusterIP && clusterIP !== old.clusterIP && sameValue(spec.clusterIPs, old.clusterIPs)) {
    spec.clusterIPs = [clusterIP];
  }
}

function keepMissing(spec: ServiceSpec, old: ServiceSpec): void {
  if (needsClusterIp(old) && needsClusterIp(spec)) {
    if (!spec.clusterIP) keep(spec, old, 'clusterIP');
    if (!spec.clusterIPs && spec.clusterIP === old.clusterIP) keep(spec, old, 'clusterIPs');
  }
  if (hasClusterIpType(old) && hasClusterIpType(spec)) {
    if (!spec.ipFamilies) keep(spec, old, 'ipFamilies');
    if (spec.ipFamilyPolicy === undefined) keep(spec, old, 'ipFamilyPolicy');
  }
  if (needsNodePort(old) && needsNodePort(spec)) keepNodePorts(spec, old);
  if (needsHealthPort(old) && needsHealthPort(spec) && !spec.healthCheckNodePort) {
    keep(spec, old, 'healthCheckNodePort');
  }
}

/** Copies a field from `old`; removes it if that has none. Mutates `spec`. */
function keep(spec: ServiceSpec, old: ServiceSpec, name: OptionalField): void {
  if (old[name] === undefined) delete spec[name];
  else Object.assign(spec, { [name]: structuredClone(old[name]) });
}

/**
 * A port without a node port keeps the old one, if a port with the same protocol and number had one
 * and no other port uses it. Mutates `spec`.
 */
function keepNodePorts({ ports = [] }: ServiceSpec, { ports: oldPorts = [] }: ServiceSpec): void {
  const used = new Set(ports.map(({ nodePort }) => nodePort));
  const before = new Map(oldPorts.map((port) => [identityOf(port), port.nodePort]));
  for (const port of ports) {
    const kept = before.get(identityOf(port));
    if (port.nodePort || !kept || used.has(kept)) continue;
    port.nodePort = kept;
    used.add(kept);
  }
}

function identityOf({ protocol, port }: ServicePort): string {
  return `${protocol}/${port}`;
}

/**
 * Removes the node ports that a client has sent back unchanged. If it sets others, all are kept,
 * and validation refuses them. Mutates `spec`.
 */
function dropNodePorts({ ports = [] }: ServiceSpec, { ports: oldPorts = [] }: ServiceSpec): void {
  const before = new Set(oldPorts.map(({ nodePort }) => nodePort));
  if (!ports.every(({ nodePort }) => !nodePort || before.has(nodePort))) return;
  for (const port of ports) delete port.nodePort;
}

/** The name rule without relaxed names: RFC 1035 labels. */
export const stricterNames: Partial<Strategy> = {
  validateName: (name, prefix) => (prefix ? validateNameBase(validateDns1035Label, name) : validateDns1035Label(name)),
};

/** The strategy of Services. Names are labels, because they become part of DNS names. */
export const strategy: Strategy<Service> = {
  validateName: (name, prefix) => (prefix ? validateNameBase(validateDnsLabel, name) : validateDnsLabel(name)),
  default: defaultService,
  prepareForCreate: mirrorClusterIp,
  prepareForUpdate: (service, old, { emulated }) => {
    mirrorClusterIp(service);
    keepAllocated(service, old, emulated);
    const loses = hasType('LoadBalancer')(old.spec) && !hasType('LoadBalancer')(service.spec);
    if (loses && refusesOtherStatus(emulated)) service.status.loadBalancer = {};
  },
  returnsDeletedObject: '1.23',
  validate: validateService,
  allowCreateOnUpdate: true,
  generation: false,
  subresources: {
    status: { default: defaultIpModes, validateUpdate: validateStatus },
  },
};

/** True if only Services of type LoadBalancer may have a load balancer status. */
function refusesOtherStatus({ release, isFeatureEnabled }: EmulatedRelease): boolean {
  return isSince(release, '1.29') && !isFeatureEnabled('AllowServiceLBStatusOnNonLB');
}

function validateStatus(
  { spec, status }: Service,
  _old: Service,
  { emulated }: StrategyContext,
): readonly FieldError[] {
  const field = 'status.loadBalancer';
  const { ingress = [] } = status.loadBalancer;
  if (ingress.length > 0 && !hasType('LoadBalancer')(spec) && refusesOtherStatus(emulated)) {
    return [forbidden(`${field}.ingress`, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const requiresMode = knowsIpModes(emulated);
  return allErrors(
    checkLoadBalancerStatus(field, status.loadBalancer),
    errorsOfEach(ingress, ({ ip = '', ipMode }, index) => {
      const path = `${field}.ingress[${index}].ipMode`;
      if (ipMode === undefined) {
        return requiresMode && ip !== '' ? [required(path, 'must be specified when `ip` is set')] : noErrors;
      }
      if (ip === '') return [forbidden(path, 'may not be specified when `ip` is not set')];
      return ipModes.includes(ipMode) ? noErrors : [notSupported(path, ipMode, ipModes)];
    }),
  );
}

const ipModes = ['Proxy', 'VIP'];

function knowsIpModes({ release, isFeatureEnabled }: EmulatedRelease): boolean {
  return isSince(release, '1.29') && isFeatureEnabled('LoadBalancerIPMode');
}

/** Sets the default IP mode of load balancer addresses: VIP. Mutates. */
function defaultIpModes(service: Service, { emulated }: StrategyContext): void {
  // A patch of the status may have removed other fields, which are restored later.
  const { spec, status }: Partial<Service> = service;
  if (!spec || !hasType('LoadBalancer')(spec) || !knowsIpModes(emulated)) return;
  for (const point of status?.loadBalancer.ingress ?? []) if (point.ip) point.ipMode ??= 'VIP';
}

/** Fills in the defaults of a Service that depend on other fields. Mutates. */
function defaultService({ spec }: Service, { emulated }: StrategyContext): void {
  for (const port of spec.ports ?? []) defaultTarget(port);
  if (isReachable(spec, emulated)) spec.externalTrafficPolicy ??= 'Cluster';
  if (['ClusterIP', 'NodePort', 'LoadBalancer'].includes(spec.type)) spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
  defaultAffinity(spec);
}

function defaultTarget(port: ServicePort): void {
  if (!port.targetPort) port.targetPort = port.port;
}

/** Default duration of session affinity, in seconds: three hours. */
const stickySeconds = 10_800;

function defaultAffinity(spec: ServiceSpec): void {
  if (spec.sessionAffinity !== 'ClientIP') {
    delete spec.sessionAffinityConfig;
    return;
  }
  spec.sessionAffinityConfig ??= {};
  spec.sessionAffinityConfig.clientIP ??= { timeoutSeconds: stickySeconds };
  spec.sessionAffinityConfig.clientIP.timeoutSeconds ??= stickySeconds;
}

/**
 * Fills in `clusterIPs` from `clusterIP`, or the other way: clients and mutating webhooks may write
 * either, and own only the field that they wrote. Mutates `service`.
 */
function mirrorClusterIp({ spec }: Service): void {
  const [first] = spec.clusterIPs ?? [];
  if (spec.clusterIP && first === undefined) spec.clusterIPs = [spec.clusterIP];
  else if (spec.clusterIP === undefined && first !== undefined) spec.clusterIP = first;
}
