import type { Logger } from 'pino';
import type { Service } from '../../gen/stored/core-v1.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { ListerOf } from '../../meta/lister.ts';
import { uidOf } from '../../meta/object-meta.ts';
import type { Registries } from '../../registry/definition/registry.ts';
import { addressObjects, holderOf } from './address-objects.ts';
import { ensureDefaultServiceCidr, serviceCidrRanges } from './service-cidrs.ts';
import type { ObjectAllocator } from '../../registry/definition/object-allocator.ts';
import {
  type AddressRange,
  type ItemRange,
  parseAddressRanges,
  parsePortRange,
  withoutStaticPart,
} from '../../resources/core/services/address-range.ts';
import { serviceAllocator } from '../../resources/core/services/service-allocator.ts';
import { allocationMetrics } from '../../resources/core/services/allocation-metrics.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import { ItemPool } from '../../resources/core/services/item-pool.ts';
import { type Repair, serviceRepair } from '../../resources/core/services/repair.ts';
import { itemAllocations } from '../../storage/objects/item-allocations.ts';
import { objectsPrefix } from '../../storage/port/object-key.ts';
import type { ObjectStore } from '../../storage/port/object-store.ts';
import { StorageError } from '../../storage/port/storage-error.ts';
import { cachedObject } from '../../storage/objects/resource-reading.ts';
import type { ServerOptions } from '../../config/server-options.ts';

/** The allocation of cluster IPs and node ports to Services. */
export interface ServiceAllocation {
  readonly allocator: ObjectAllocator;
  /** The first range of the options, which contains the address of the API's own Service. */
  readonly clusterIps: AddressRange;
  /**
   * Repairs the records of allocations from the stored Services; runs at the start and
   * periodically.
   */
  readonly repair: Repair;
  /** Creates the objects that the allocation needs, at the start. */
  readonly prepare: (signal: AbortSignal) => Promise<void>;
}

/** The dependencies of the allocation. */
interface AllocationDependencies {
  readonly identifiers: Identifiers;
  readonly store: ObjectStore;
  readonly listerOf: ListerOf;
  readonly registries: () => Registries;
  /** True if ranges are ServiceCIDRs and allocations are IPAddresses. */
  readonly usesObjects: boolean;
  /** True if a part of the ranges is reserved for clients that request an address or port. */
  readonly hasStaticPart: { readonly addresses: boolean; readonly ports: boolean };
  /** True if allocations are also recorded as older releases do. */
  readonly writesBoth: boolean;
  readonly metrics: MetricsRegistry;
  readonly log: Logger;
}

/** Parses the ranges of the options. Throws `RangeError` for a malformed one. */
function serviceRanges(options: Pick<ServerOptions, 'serviceClusterIpRange' | 'serviceNodePortRange'>): {
  readonly clusterIps: readonly [AddressRange, ...AddressRange[]];
  readonly nodePorts: ItemRange;
} {
  const clusterIps = parseAddressRanges(options.serviceClusterIpRange);
  const nodePorts = parsePortRange(options.serviceNodePortRange);
  if (!clusterIps) {
    throw new RangeError(`service cluster IP range ${options.serviceClusterIpRange}: use a network like 10.0.0.0/24`);
  }
  if (!nodePorts) {
    throw new RangeError(`service node port range ${options.serviceNodePortRange}: use ports like 30000-32767`);
  }
  return { clusterIps, nodePorts };
}

/**
 * Creates the allocators. Allocations are stored under the server's prefix, except addresses in
 * releases with IPAddress objects.
 */
export function serviceAllocation(options: ServerOptions, dependencies: AllocationDependencies): ServiceAllocation {
  const { identifiers, store, listerOf, registries, usesObjects, writesBoth, hasStaticPart, log } = dependencies;
  const metrics = allocationMetrics(dependencies.metrics);
  const { clusterIps, nodePorts } = serviceRanges(options);
  const records = itemAllocations(store, options.prefix, 'cluster-ips');
  const objects = addressObjects({
    identifiers,
    registry: () => registries().forResource(`networking.${identifiers.apiDomain}`, 'ipaddresses'),
  });
  const ports = itemAllocations(store, options.prefix, 'node-ports');
  const addresses = usesObjects ? objects : records;
  const second = usesObjects && writesBoth ? records : undefined;
  const rangesOf = serviceCidrRanges(identifiers, listerOf);
  const fixedRange = (family: AddressRange['family']) => clusterIps.find((range) => range.family === family);
  let lacksServices = false;
  const poolOf = async (family: AddressRange['family'], signal: AbortSignal): Promise<ItemPool | undefined> => {
    const range = usesObjects ? await rangesOf(family, signal) : fixedRange(family);
    if (!range) return undefined;
    return new ItemPool(hasStaticPart.addresses ? range : withoutStaticPart(range), {
      allocations: addresses,
      second,
      metrics: metrics.addresses,
    });
  };
  const countAddresses = (items: readonly string[]) => {
    for (const range of clusterIps) metrics.addresses.counted(range, items);
  };
  const countPorts = (items: readonly string[]) => metrics.ports.counted(nodePorts, items);
  const byAddress = {
    allocations: addresses,
    what: 'addresses',
    ownerOf: usesObjects ? holderOf : uidOf,
    counted: countAddresses,
  } as const;
  const inBoth = { allocations: records, what: 'addresses', ownerOf: uidOf } as const;
  return {
    allocator: serviceAllocator({
      families: clusterIps.map(({ family }) => family),
      addresses: poolOf,
      records: [
        { pool: new ItemPool(clusterIps[0], { allocations: addresses }), ownerOf: byAddress.ownerOf },
        ...(second ? [{ pool: new ItemPool(clusterIps[0], { allocations: second }), ownerOf: uidOf }] : []),
      ],
      ports: new ItemPool(hasStaticPart.ports ? nodePorts : withoutStaticPart(nodePorts), {
        allocations: ports,
        metrics: metrics.ports,
      }),
    }),
    clusterIps: clusterIps[0],
    prepare: async (signal) => {
      if (!usesObjects) return;
      const cidrs = clusterIps.map(({ text }) => text);
      await ensureDefaultServiceCidr(registries(), identifiers, cidrs, signal);
    },
    repair: serviceRepair({
      collections: [
        byAddress,
        ...(second ? [inBoth] : []),
        { allocations: ports, what: 'ports', ownerOf: uidOf, counted: countPorts },
      ],
      services: async (signal) => {
        const stored = await storedServices(store, options.prefix, log, signal);
        ({ lacksServices } = stored);
        return stored.services;
      },
      lacksServices: () => lacksServices,
      onRefused: (item, err) => log.warn({ item, err }, 'the address of a Service cannot be recorded; trying again'),
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
