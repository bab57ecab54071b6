import type { JsonObject } from '../../../meta/json-value.ts';
import { formatIp, parseIp } from '../../../meta/ip-address.ts';
import { isTrue, numberAt, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';

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
export function heldItems(service: JsonObject | undefined): HeldItems {
  const spec = objectAt(service ?? {}, 'spec');
  const addresses = needsClusterIp(spec) ? [stringAt(spec, 'clusterIP'), ...stringsAt(spec, 'clusterIPs')] : [];
  const nodePorts = needsNodePort(spec) ? objectsAt(spec, 'ports').map((port) => numberAt(port, 'nodePort') ?? 0) : [];
  const ports = [...nodePorts, needsHealthPort(spec) ? (numberAt(spec, 'healthCheckNodePort') ?? 0) : 0];
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
export function needsClusterIp(spec: JsonObject): boolean {
  return (
    hasClusterIpType(spec) && stringAt(spec, 'clusterIP') !== headless && stringsAt(spec, 'clusterIPs')[0] !== headless
  );
}

/**
 * True if the type of a Service has the field `clusterIP`, whose value may be `None`. A type that
 * does not exist has it too: an update to it is refused for the type alone.
 */
export function hasClusterIpType(spec: JsonObject): boolean {
  return stringAt(spec, 'type') !== 'ExternalName';
}

/** True if the ports of a Service can have node ports. */
export function needsNodePort(spec: JsonObject): boolean {
  return ['NodePort', 'LoadBalancer'].includes(stringAt(spec, 'type'));
}

/** True if a Service has a health check port on the nodes. */
export function needsHealthPort(spec: JsonObject): boolean {
  return stringAt(spec, 'type') === 'LoadBalancer' && stringAt(spec, 'externalTrafficPolicy') === 'Local';
}

/** True if missing node ports are allocated. A load balancer may do without them. */
export function wantsNodePorts(spec: JsonObject): boolean {
  const type = stringAt(spec, 'type');
  return type === 'NodePort' || (type === 'LoadBalancer' && isTrue(spec, 'allocateLoadBalancerNodePorts'));
}
