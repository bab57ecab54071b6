import { createHash, getFips } from 'node:crypto';
import type { Pod, Service } from '../resources.ts';
import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../gen/types/core-v1.ts';
import { backendsOf, type ServiceBackend } from './service-backends.ts';

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
  return { subsets: packByPorts(kept), truncated: kept.length < all.length };
}

/** Packs each port once, with all its addresses; ports with the same addresses share a subset. */
function packByPorts(backends: readonly ServiceBackend[]): EndpointSubset[] {
  const groups = new Map<string, { readonly backends: readonly ServiceBackend[]; readonly ports: EndpointPort[] }>();
  for (const { port, backends: found } of backendsByPort(backends)) {
    const key = found.map(({ target }) => target.uid).join();
    const group = groups.get(key) ?? { backends: found, ports: [] };
    groups.set(key, group);
    if (port) group.ports.push(port);
  }
  return [...groups.values()].map(({ backends: found, ports }) => subsetOf(found, ports));
}

/** The backends of each port, in the order of ports. A headless Service may have none. */
function backendsByPort(backends: readonly ServiceBackend[]) {
  const found = new Map<string, { readonly port: EndpointPort | undefined; readonly backends: ServiceBackend[] }>();
  for (const backend of backends) {
    for (const port of backend.ports.length > 0 ? backend.ports : [undefined]) {
      const key = printedPort(port);
      const entry = found.get(key) ?? { port, backends: [] };
      found.set(key, entry);
      entry.backends.push(backend);
    }
  }
  const entries = [...found].map(([key, entry]) => ({ ...entry, rank: digestOf(key) }));
  return entries.toSorted((a, b) => (a.rank < b.rank ? -1 : 1));
}

/** A port as Go prints it; kube-controller-manager orders ports by the digest of this text. */
function printedPort(port: EndpointPort | undefined): string {
  const { name = '', port: number, protocol = 'TCP', appProtocol = '<nil>' } = port ?? {};
  const fields = [`Name:(string)${name}`, `Port:(int32)${number}`, `Protocol:(v1.Protocol)${protocol}`];
  return `(v1.EndpointPort){${fields.join(' ')} AppProtocol:(*string)${appProtocol}}`;
}

function digestOf(text: string): string {
  // FIPS mode has no MD5. The order then differs, which no client depends on.
  return createHash(getFips() === 1 ? 'sha256' : 'md5')
    .update(text)
    .digest('hex');
}

function subsetOf(backends: readonly ServiceBackend[], ports: EndpointPort[]): EndpointSubset {
  const sorted = backends.toSorted((a, b) => (a.ip < b.ip ? -1 : 1));
  const [ready, notReady] = [true, false].map((is) => sorted.filter((each) => each.ready === is).map(addressOf));
  return {
    ...(ready?.length ? { addresses: ready } : {}),
    ...(notReady?.length ? { notReadyAddresses: notReady } : {}),
    ...(ports.length > 0 ? { ports } : {}),
  };
}

function addressOf({ ip, hostname, nodeName, target }: ServiceBackend): EndpointAddress {
  return { ip, ...(hostname ? { hostname } : {}), ...(nodeName ? { nodeName } : {}), targetRef: target };
}
