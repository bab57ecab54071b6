import type { Logger } from 'pino';
import type { Service } from '../../gen/stored/core-v1.ts';
import type { ObjectAllocator } from '../../registry/definition/object-allocator.ts';
import {
  type AddressRange,
  type ItemRange,
  parseAddressRange,
  parsePortRange,
} from '../../resources/core/services/address-range.ts';
import { serviceAllocator } from '../../resources/core/services/allocate.ts';
import { ItemPool } from '../../resources/core/services/item-pool.ts';
import { type Repair, serviceRepair } from '../../resources/core/services/repair.ts';
import { itemAllocations } from '../../storage/objects/item-allocations.ts';
import { objectsPrefix } from '../../storage/port/object-key.ts';
import type { ObjectStore } from '../../storage/port/object-store.ts';
import { StorageError } from '../../storage/port/storage-error.ts';
import { cachedObject } from '../../storage/objects/read-object.ts';
import type { ServerOptions } from '../../config/server-options.ts';

/** The allocation of cluster IPs and node ports to Services. */
export interface ServiceAllocation {
  readonly allocator: ObjectAllocator;
  readonly clusterIps: AddressRange;
  /**
   * Repairs the records of allocations from the stored Services; runs at the start and
   * periodically.
   */
  readonly repair: Repair;
}

/** Parses the ranges of the options. Throws `RangeError` for a malformed one. */
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

/** Creates the allocators. Their records are stored below the server's prefix. */
export function serviceAllocation(options: ServerOptions, store: ObjectStore, log: Logger): ServiceAllocation {
  const { clusterIps, nodePorts } = serviceRanges(options);
  const addresses = itemAllocations(store, options.prefix, 'cluster-ips');
  const ports = itemAllocations(store, options.prefix, 'node-ports');
  let lacksServices = false;
  const pools = { addresses: new ItemPool(clusterIps, addresses), ports: new ItemPool(nodePorts, ports) };
  return {
    allocator: serviceAllocator(pools, clusterIps.family),
    clusterIps,
    repair: serviceRepair({
      addresses,
      ports,
      services: async (signal) => {
        const stored = await storedServices(store, options.prefix, log, signal);
        ({ lacksServices } = stored);
        return stored.services;
      },
      lacksServices: () => lacksServices,
      onShared: (item) => log.warn({ item }, 'two Services have the same cluster IP or node port; delete one of them'),
    }),
  };
}

/** The Services read from the store, without the cache. Those that cannot be read are left out. */
async function storedServices(
  store: ObjectStore,
  prefix: string,
  log: Logger,
  signal: AbortSignal,
): Promise<{ readonly services: readonly Service[]; readonly lacksServices: boolean }> {
  const services: Service[] = [];
  let lacksServices = false;
  for await (const { values } of store.list(objectsPrefix(prefix, { group: '', resource: 'services' }, ''), {
    signal,
  })) {
    for (const value of values) {
      try {
        services.push(cachedObject(value, { namespace: '', name: '', kind: 'Service' }).decode() as Service);
      } catch (error) {
        if (!(error instanceof StorageError) || error.code !== 'Corrupt') throw error;
        lacksServices = true;
        log.warn({ err: error, key: error.key }, 'a stored Service cannot be read; what it has allocated is not known');
      }
    }
  }
  return { services, lacksServices };
}
