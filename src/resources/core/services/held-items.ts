import type { Service, ServiceSpec } from '../../../gen/stored/core-v1.ts';
import { formatIp, parseIp } from '../../../meta/ip-address.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';

/** The cluster IP of a headless Service, which has no address. */
export const headless = 'None';

/** The addresses and ports that are allocated to a Service. */
export interface HeldItems {
  readonly addresses: readonly string[];
  readonly ports: readonly string[];
}

/**
 * The cluster IPs and node ports of a Service without duplicates, in the form in which they are
 * stored.
 */
export function heldItems(service: Service | undefined): HeldItems {
  if (!service) return { addresses: [], ports: [] };
  const { spec } = service;
  const { clusterIP = '', clusterIPs = [] } = spec;
  const addresses = needsClusterIp(spec) ? [clusterIP, ...clusterIPs] : [];
  const nodePorts = needsNodePort(spec) ? (spec.ports ?? []).map(({ nodePort = 0 }) => nodePort) : [];
  const ports = [...nodePorts, needsHealthPort(spec) ? (spec.healthCheckNodePort ?? 0) : 0];
  return {
    addresses: [...new Set(addresses.flatMap((address) => canonicalAddress(address) ?? []))],
    ports: [...new Set(ports.filter((port) => port > 0).map(String))],
  };
}

/** The canonical text of an IP address; undefined if it is not an address. */
export function canonicalAddress(text: string): string | undefined {
  const address = parseIp(text);
  return address && formatIp(address);
}

/** True if a Service of this spec gets a cluster IP. */
export function needsClusterIp(spec: ServiceSpec): boolean {
  return hasClusterIpType(spec) && spec.clusterIP !== headless && spec.clusterIPs?.[0] !== headless;
}

/**
 * True if the type of a Service has the field `clusterIP`, whose value may be `None`. A type that
 * does not exist has it too: an update to it is refused for the type alone.
 */
export function hasClusterIpType({ type }: ServiceSpec): boolean {
  return type !== 'ExternalName';
}

/** True if the ports of a Service can have node ports. */
export function needsNodePort({ type }: Pick<ServiceSpec, 'type'>): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}

/**
 * True if a Service can be reached from outside of the cluster, so that it has an external traffic
 * policy.
 */
export function isReachable({ type, externalIPs = [] }: ServiceSpec, { release }: EmulatedRelease): boolean {
  const hasAddresses = type === 'ClusterIP' && externalIPs.length > 0 && isSince(release, '1.27');
  return hasAddresses || needsNodePort({ type });
}

/** True if a Service has a health check port on the nodes. */
export function needsHealthPort({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}

/** True if missing node ports are allocated. A load balancer may do without them. */
export function wantsNodePorts({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean {
  return type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts === true);
}
