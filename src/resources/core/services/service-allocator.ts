import type { Service, ServicePort } from '../../../gen/stored/core-v1.ts';
import { uidOf } from '../../../meta/object-meta.ts';
import type { AllocationWrite, ObjectAllocator } from '../../../registry/definition/object-allocator.ts';
import { invalid } from '../../../status/field-error.ts';
import type { AddressRange, ItemRange } from './address-range.ts';
import {
  canonicalAddress,
  heldItems,
  needsClusterIp,
  needsHealthPort,
  needsNodePort,
  wantsNodePorts,
} from './held-items.ts';
import type { Draw, ItemPool, Taken } from './item-pool.ts';
import { fillFamilies, refused } from './families.ts';
import { groupBy } from '../../../meta/group-by.ts';

/** A family of IP addresses. */
type IpFamily = AddressRange['family'];

/** The record of allocated addresses. */
interface AddressRecord {
  /** The pool that releases addresses, independent of the present ranges. */
  readonly pool: ItemPool;
  /** Returns the text that identifies a Service in the record. */
  readonly ownerOf: (service: Service) => string;
}

/** The pools of a server. Their allocations are in the store, so all servers share them. */
interface ServicePools {
  /** The families that Services can have, the default family first. */
  readonly families: readonly IpFamily[];
  /** Returns the present addresses of a family; undefined if there is no range. */
  readonly addresses: (family: IpFamily, signal: AbortSignal) => Promise<ItemPool | undefined>;
  /** The records of addresses, for all families: the record of the pools, and the second record. */
  readonly records: readonly [AddressRecord, ...AddressRecord[]];
  readonly ports: ItemPool;
}

/** Allocates the cluster IPs and node ports of Services. */
export function serviceAllocator(pools: ServicePools): ObjectAllocator<Service> {
  return {
    async reserve(service, write) {
      const draw = drawsFor(service, write, pools);
      try {
        fillFamilies(service, write.old, pools.families);
        await takeAddresses(service, draw);
        await takePorts(service, draw.ports);
      } catch (error) {
        await undo(draw);
        throw error;
      }
      if (write.dryRun) return undefined;
      const dropped = await droppedAllocations(service, write, pools);
      return {
        undo: () => undo(draw),
        settle: async () => {
          for (const { pool, allocations } of dropped) await pool.drop(allocations);
        },
      };
    },
    async release(service) {
      const held = heldItems(service);
      const { records, ports } = pools;
      for (const { pool, ownerOf } of records) {
        await pool.drop(await pool.allocationsOf(held.addresses, ownerOf(service)));
      }
      await ports.drop(await ports.allocationsOf(held.ports, uidOf(service)));
    },
  };
}

interface Draws {
  /** The addresses that the Service has already; they need not be in a range. */
  readonly held: ReadonlySet<string>;
  /** Returns the draw of a family, which begins on first use. */
  readonly addresses: (family: IpFamily) => Promise<Draw | undefined>;
  readonly begun: Draw[];
  readonly ports: Draw;
}

function drawsFor(service: Service, { old, dryRun, signal }: AllocationWrite<Service>, pools: ServicePools): Draws {
  const held = heldItems(old);
  const begun: Draw[] = [];
  return {
    held: new Set(held.addresses),
    begun,
    addresses: async (family) => {
      const pool = await pools.addresses(family, signal);
      const [first, second = first] = pools.records;
      const owners = { owner: first.ownerOf(service), secondOwner: second.ownerOf(service) };
      const draw = pool?.draw({ ...owners, dryRun, signal, held: held.addresses });
      if (draw) begun.push(draw);
      return draw;
    },
    ports: pools.ports.draw({ owner: uidOf(service), dryRun, signal, held: held.ports }),
  };
}

async function undo({ begun, ports }: Draws): Promise<void> {
  for (const draw of begun) await draw.undo();
  await ports.undo();
}

/**
 * The allocations that an update releases: items of the old object that the new one does not have.
 * They are read before the write, so that an item that is allocated again after it is not released.
 */
async function droppedAllocations(service: Service, { old }: AllocationWrite<Service>, pools: ServicePools) {
  const [held, before] = [heldItems(service), heldItems(old)];
  const { records, ports } = pools;
  const gone = without(before.addresses, held.addresses);
  const addresses = records.map(async ({ pool, ownerOf }) => ({
    pool,
    allocations: await pool.allocationsOf(gone, ownerOf(service)),
  }));
  return [
    ...(await Promise.all(addresses)),
    { pool: ports, allocations: await ports.allocationsOf(without(before.ports, held.ports), uidOf(service)) },
  ];
}

function without(items: readonly string[], others: readonly string[]): readonly string[] {
  const kept = new Set(others);
  return items.filter((item) => !kept.has(item));
}

/** Allocates the addresses that the client requests, and one of each other family. */
async function takeAddresses(service: Service, draws: Draws): Promise<void> {
  const { spec } = service;
  if (!needsClusterIp(spec)) return;
  const wanted = spec.clusterIPs ?? (spec.clusterIP ? [spec.clusterIP] : []);
  const addresses: string[] = [];
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    const address = wanted[index] ?? '';
    if (draws.held.has(canonicalAddress(address) ?? '')) {
      addresses.push(address);
      continue;
    }
    const draw = await draws.addresses(family as IpFamily);
    if (!draw) throw refused(service, [invalid('spec.clusterIPs', [...wanted], notConfigured(family))]);
    addresses.push(await takeAddress(service, draw, address));
  }
  const [first] = addresses;
  if (first === undefined) return;
  spec.clusterIP = first;
  spec.clusterIPs = addresses;
}

function notConfigured(family: string): string {
  return `failed to allocate ${family} IP: no range of the family is ready`;
}

async function takeAddress(service: Service, draw: Draw, wanted: string): Promise<string> {
  if (wanted === '') return draw.any();
  const taken = await draw.one(canonicalAddress(wanted) ?? wanted);
  if (taken === 'taken') return wanted;
  const why = addressErrors[taken](wanted, draw.range);
  const list = service.spec.clusterIPs ?? [wanted];
  throw refused(service, [invalid('spec.clusterIPs', [...list], `failed to allocate IP ${wanted}: ${why}`)]);
}

type AllocationFailure = Exclude<Taken, 'taken'>;

const addressErrors: Readonly<Record<AllocationFailure, (address: string, range: ItemRange) => string>> = {
  'held by another': () => 'provided IP is already allocated',
  'out of range': (address, { text }) =>
    `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${text}`,
};

const portErrors: Readonly<Record<AllocationFailure, (range: ItemRange) => string>> = {
  'held by another': () => 'provided port is already allocated',
  'out of range': ({ text }) => `provided port is not in the valid range. The range of valid ports is ${text}`,
};

async function takePorts(service: Service, draw: Draw): Promise<void> {
  const { spec } = service;
  const ports = needsNodePort(spec) ? (spec.ports ?? []) : [];
  // Requested ports come first, so that a random choice for another port of the Service does not
  // take them.
  for (const [index, { nodePort = 0 }] of ports.entries()) {
    await takePort(service, draw, `spec.ports[${index}].nodePort`, nodePort);
  }
  if (wantsNodePorts(spec)) {
    const byNumber = groupBy(ports, ({ port }) => port);
    for (const port of ports) port.nodePort ||= await sharedPort(draw, byNumber.get(port.port) ?? [], port);
  }
  if (!needsHealthPort(spec)) return;
  const { healthCheckNodePort: healthPort = 0 } = spec;
  await takePort(service, draw, 'spec.healthCheckNodePort', healthPort);
  if (healthPort === 0) spec.healthCheckNodePort = Number(await draw.any());
}

async function takePort(service: Service, draw: Draw, field: string, port: number): Promise<void> {
  if (port === 0) return;
  const taken = await draw.one(String(port));
  if (taken !== 'taken') throw refused(service, [invalid(field, port, portErrors[taken](draw.range))]);
}

/**
 * Chooses a node port for a port. Ports with the same number and different protocols share a node
 * port; `alike` are the ports with this number.
 */
async function sharedPort(draw: Draw, alike: readonly ServicePort[], port: ServicePort): Promise<number> {
  const shared = alike.find(({ protocol, nodePort }) => protocol !== port.protocol && nodePort);
  return shared?.nodePort ?? Number(await draw.any());
}
