import type { Pod } from '../kinds/pod.ts';
import type { EndpointAddress, EndpointSubset, Service } from '../kinds/service.ts';
import { backendsOf, byPorts, type ServiceBackend } from './service-backends.ts';

/** Addresses of one Endpoints object; EndpointSlices have the others. */
const addressLimit = 1000;

/** The subsets of a Service's Endpoints, and whether addresses were left out. */
export function subsetsOf(service: Service, pods: readonly Pod[]): { subsets: EndpointSubset[]; truncated: boolean } {
  const family = service.spec.ipFamilies?.[0] ?? 'IPv4';
  const all = backendsOf(service, pods, family).filter(
    ({ terminating, ports }) =>
      (!terminating || service.spec.publishNotReadyAddresses) && (ports.length > 0 || !service.spec.ports?.length),
  );
  // Ready addresses are kept first.
  const kept = all.toSorted((a, b) => Number(b.ready) - Number(a.ready)).slice(0, addressLimit);
  const subsets = [...byPorts(kept)].toSorted(([a], [b]) => a.localeCompare(b)).map(([, group]) => subsetOf(group));
  return { subsets, truncated: kept.length < all.length };
}

function subsetOf(backends: readonly ServiceBackend[]): EndpointSubset {
  const sorted = backends.toSorted((a, b) => (a.ip < b.ip ? -1 : 1));
  const [ready, notReady] = [true, false].map((is) => sorted.filter((each) => each.ready === is).map(addressOf));
  const ports = backends[0]?.ports ?? [];
  return {
    ...(ready?.length ? { addresses: ready } : {}),
    ...(notReady?.length ? { notReadyAddresses: notReady } : {}),
    ...(ports.length > 0 ? { ports: [...ports] } : {}),
  };
}

function addressOf({ ip, hostname, nodeName, target }: ServiceBackend): EndpointAddress {
  return { ip, ...(hostname ? { hostname } : {}), ...(nodeName ? { nodeName } : {}), targetRef: target };
}
