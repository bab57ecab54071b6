import type { JsonObject } from '../../../meta/json-value.ts';
import { formatIp, parseIp } from '../../../meta/ip-address.ts';
import { isTrue, numberAt, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';

/** A cluster IP that says that there is none. */
export const headless = 'None';

/** What a Service has to itself. */
export interface HeldItems {
  readonly addresses: readonly string[];
  readonly ports: readonly string[];
}

/** The cluster IPs and node ports of a Service, each once, as they are recorded. */
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

/** The one spelling of an address; undefined for what is none. */
export function canonicalAddress(text: string): string | undefined {
  const address = parseIp(text);
  return address && formatIp(address);
}

/** Whether a Service of this spec has a cluster IP. */
export function needsClusterIp(spec: JsonObject): boolean {
  return (
    hasClusterIpType(spec) && stringAt(spec, 'clusterIP') !== headless && stringsAt(spec, 'clusterIPs')[0] !== headless
  );
}

/** Whether the type of a Service knows cluster IPs, be it `None`. */
export function hasClusterIpType(spec: JsonObject): boolean {
  return ['ClusterIP', 'NodePort', 'LoadBalancer'].includes(stringAt(spec, 'type'));
}

/** Whether the ports of a Service can have node ports. */
export function needsNodePort(spec: JsonObject): boolean {
  return ['NodePort', 'LoadBalancer'].includes(stringAt(spec, 'type'));
}

/** Whether a Service has a port on which nodes say whether they serve it. */
export function needsHealthPort(spec: JsonObject): boolean {
  return stringAt(spec, 'type') === 'LoadBalancer' && stringAt(spec, 'externalTrafficPolicy') === 'Local';
}

/** Whether node ports are given to ports that have none: a load balancer may do without. */
export function wantsNodePorts(spec: JsonObject): boolean {
  const type = stringAt(spec, 'type');
  return type === 'NodePort' || (type === 'LoadBalancer' && isTrue(spec, 'allocateLoadBalancerNodePorts'));
}
