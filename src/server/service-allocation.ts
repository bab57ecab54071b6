import type { Logger } from 'pino';
import type { JsonObject } from '../meta/json-value.ts';
import type { ObjectAllocator } from '../registry/object-allocator.ts';
import {
  type AddressRange,
  type ItemRange,
  parseAddressRange,
  parsePortRange,
} from '../resources/core/services/address-range.ts';
import { serviceAllocator } from '../resources/core/services/allocate.ts';
import { ItemPool } from '../resources/core/services/item-pool.ts';
import { type Repair, serviceRepair } from '../resources/core/services/repair.ts';
import { itemClaims } from '../storage/item-claims.ts';
import { objectsPrefix } from '../storage/object-key.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { cachedObject } from '../storage/spliced-object.ts';
import type { ServerOptions } from './server-options.ts';

/** How a server gives Services their addresses and ports. */
export interface ServiceAllocation {
  readonly allocator: ObjectAllocator;
  readonly clusterIps: AddressRange;
  /** Brings the record of what is taken in line with the Services; a round at start, and one from time to time. */
  readonly repair: Repair;
}

/** The ranges of the options. Throws `RangeError` on one that cannot be read. */
function serviceRanges(options: Pick<ServerOptions, 'serviceClusterIpRange' | 'serviceNodePortRange'>): {
  readonly clusterIps: AddressRange;
  readonly nodePorts: ItemRange;
} {
  const clusterIps = parseAddressRange(options.serviceClusterIpRange);
  const nodePorts = parsePortRange(options.serviceNodePortRange);
  if (!clusterIps) {
    throw new RangeError(`service cluster IP range ${options.serviceClusterIpRange}: use a network like 10.0.0.0/24`);
  }
  if (!nodePorts) {
    throw new RangeError(`service node port range ${options.serviceNodePortRange}: use ports like 30000-32767`);
  }
  return { clusterIps, nodePorts };
}

/** Allocation over a store; what is taken lies inside the server's prefix. */
export function serviceAllocation(options: ServerOptions, store: ObjectStore, log: Logger): ServiceAllocation {
  const { clusterIps, nodePorts } = serviceRanges(options);
  const addresses = itemClaims(store, options.prefix, 'cluster-ips');
  const ports = itemClaims(store, options.prefix, 'node-ports');
  const pools = { addresses: new ItemPool(clusterIps, addresses), ports: new ItemPool(nodePorts, ports) };
  return {
    allocator: serviceAllocator(pools, clusterIps.family),
    clusterIps,
    repair: serviceRepair({
      addresses,
      ports,
      services: (signal) => storedServices(store, options.prefix, signal),
      onShared: (item) => log.warn({ item }, 'two services have one address or port'),
    }),
  };
}

/** The Services as the store has them, whatever the cache has heard. */
async function storedServices(store: ObjectStore, prefix: string, signal: AbortSignal): Promise<readonly JsonObject[]> {
  const services: JsonObject[] = [];
  for await (const { values } of store.list(objectsPrefix(prefix, { group: '', resource: 'services' }, ''), {
    signal,
  })) {
    services.push(...values.map((value) => cachedObject(value, { namespace: '', name: '' }).decode()));
  }
  return services;
}
