import type { EndpointGroup } from '../endpointslices/fill-slices.ts';
import { portsKey } from '../endpoints/service-backends.ts';
import type { Endpoints, SliceEndpoint } from '../resources.ts';
import type { EndpointAddress, EndpointSubset } from '../../gen/types/core-v1.ts';

/** The types of addresses that are mirrored. */
export const addressTypes = Object.freeze(['IPv4', 'IPv6'] as const);

/**
 * The endpoints of an Endpoints object with addresses of a type, grouped by their ports. Of each
 * subset at most `limit` addresses are mirrored; the ready ones come first.
 */
export function mirroredGroups(
  { subsets = [] }: Endpoints,
  addressType: (typeof addressTypes)[number],
  limit: number,
): ReadonlyMap<string, EndpointGroup> {
  const groups = new Map<string, { ports: EndpointGroup['ports']; endpoints: SliceEndpoint[] }>();
  for (const subset of subsets) {
    const endpoints = endpointsOf(subset, limit).filter(({ addresses }) => typeOf(addresses[0]) === addressType);
    if (endpoints.length === 0) continue;
    const { ports = [] } = subset;
    const key = portsKey(ports);
    const group = groups.get(key);
    if (group) group.endpoints.push(...endpoints);
    else groups.set(key, { ports, endpoints });
  }
  return groups;
}

/** The number of addresses that are not mirrored because their subsets have too many. */
export function countSkipped({ subsets = [] }: Endpoints, limit: number): number {
  const counts = subsets.map(
    ({ addresses = [], notReadyAddresses = [] }) => addresses.length + notReadyAddresses.length,
  );
  return counts.reduce((sum, count) => sum + Math.max(0, count - limit), 0);
}

/** Distinguishes mirrored endpoints. One address may be that of several. */
export function mirroredKey({ addresses, hostname, nodeName, targetRef }: SliceEndpoint): string {
  const { kind, namespace, name, uid } = targetRef ?? {};
  return JSON.stringify([addresses, hostname, nodeName, kind, namespace, name, uid]);
}

function endpointsOf({ addresses = [], notReadyAddresses = [] }: EndpointSubset, limit: number): SliceEndpoint[] {
  const ready = addresses.map((address) => endpointOf(address, true));
  const notReady = notReadyAddresses.map((address) => endpointOf(address, false));
  return [...ready, ...notReady].slice(0, limit);
}

function endpointOf({ ip, hostname, nodeName, targetRef }: EndpointAddress, ready: boolean): SliceEndpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname ? { hostname } : {}),
    ...(nodeName ? { nodeName } : {}),
    ...(targetRef ? { targetRef } : {}),
  };
}

function typeOf(ip = ''): (typeof addressTypes)[number] {
  return ip.includes(':') ? 'IPv6' : 'IPv4';
}
