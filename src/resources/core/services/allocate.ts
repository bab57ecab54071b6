import { FieldCursor } from '../../../status/field-cursor.ts';
import type { Service, ServicePort } from '../../../gen/stored/core-v1.ts';
import { nameOf, uidOf } from '../../../meta/object-meta.ts';
import type { AllocationWrite, ObjectAllocator } from '../../../registry/definition/object-allocator.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { invalidObject } from '../../../status/status-error.ts';
import type { AddressRange, ItemRange } from './address-range.ts';
import {
  canonicalAddress,
  hasClusterIpType,
  headless,
  heldItems,
  needsClusterIp,
  needsHealthPort,
  needsNodePort,
  wantsNodePorts,
} from './held-items.ts';
import type { Draw, ItemPool, Taken } from './item-pool.ts';
import { groupBy } from '../../../meta/group-by.ts';

/** The pools of a server. Their allocations are in the store, so all servers share them. */
interface ServicePools {
  readonly addresses: ItemPool;
  readonly ports: ItemPool;
}

/** Allocates the cluster IPs and node ports of Services. */
export function serviceAllocator(pools: ServicePools, family: AddressRange['family']): ObjectAllocator<Service> {
  const all = [pools.addresses, pools.ports];
  return {
    async reserve(service, write) {
      const draw = drawsFor(service, write, pools);
      try {
        fillFamilies(service, family);
        await takeAddress(service, draw.addresses);
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
          for (const [index, allocations] of dropped.entries()) await all[index]?.drop(allocations);
        },
      };
    },
    async release(service) {
      const held = heldItems(service);
      await pools.addresses.drop(await pools.addresses.allocationsOf(held.addresses, uidOf(service)));
      await pools.ports.drop(await pools.ports.allocationsOf(held.ports, uidOf(service)));
    },
  };
}

interface Draws {
  readonly addresses: Draw;
  readonly ports: Draw;
}

function drawsFor(service: Service, { old, dryRun, signal }: AllocationWrite<Service>, pools: ServicePools): Draws {
  const held = heldItems(old);
  const owner = { uid: uidOf(service), dryRun, signal };
  return {
    addresses: pools.addresses.draw({ ...owner, held: held.addresses }),
    ports: pools.ports.draw({ ...owner, held: held.ports }),
  };
}

async function undo({ addresses, ports }: Draws): Promise<void> {
  await addresses.undo();
  await ports.undo();
}

/**
 * The allocations that an update releases: items of the old object that the new one does not have.
 * They are read before the write, so that an item that is allocated again after it is not released.
 */
async function droppedAllocations(service: Service, { old }: AllocationWrite<Service>, pools: ServicePools) {
  const [held, before] = [heldItems(service), heldItems(old)];
  const uid = uidOf(service);
  return [
    await pools.addresses.allocationsOf(without(before.addresses, held.addresses), uid),
    await pools.ports.allocationsOf(without(before.ports, held.ports), uid),
  ];
}

function without(items: readonly string[], others: readonly string[]): readonly string[] {
  const kept = new Set(others);
  return items.filter((item) => !kept.has(item));
}

/** Fills in `ipFamilies` and `ipFamilyPolicy`, which depend on the configured range. Mutates. */
function fillFamilies(service: Service, family: AddressRange['family']): void {
  const { spec } = service;
  if (!hasClusterIpType(spec)) return;
  const bare = spec.clusterIP === headless && Object.keys(spec.selector ?? {}).length === 0;
  const policy = (spec.ipFamilyPolicy ??= bare ? 'RequireDualStack' : 'SingleStack');
  const families = spec.ipFamilies ?? [];
  if (bare) {
    const [first = family] = families;
    const other = first === 'IPv4' ? 'IPv6' : 'IPv4';
    if (families.length < 2) spec.ipFamilies = policy === 'SingleStack' ? [first] : [first, other];
    return;
  }
  checkFamilies(service, policy, family);
  if (families.length === 0) spec.ipFamilies = [family];
}

function checkFamilies(service: Service, policy: string, family: AddressRange['family']): void {
  const spec = new FieldCursor(service).at('spec');
  if (policy === 'RequireDualStack') {
    spec.at('ipFamilyPolicy').reportInvalid('this cluster is not configured for dual-stack services');
  }
  for (const one of spec.each('ipFamilies')) {
    if (one.value !== family) one.reportInvalid('not configured on this cluster');
  }
  if (spec.errors.length > 0) throw refused(service, spec.errors);
}

async function takeAddress(service: Service, draw: Draw): Promise<void> {
  const { spec } = service;
  if (!needsClusterIp(spec)) return;
  const { clusterIP: wanted } = spec;
  if (!wanted) {
    const address = await draw.any();
    spec.clusterIP = address;
    spec.clusterIPs = [address];
    return;
  }
  const taken = await draw.one(canonicalAddress(wanted) ?? wanted);
  if (taken === 'taken') return;
  const why = addressErrors[taken](wanted, draw.range);
  throw refused(service, [invalid('spec.clusterIPs', [wanted], `failed to allocate IP ${wanted}: ${why}`)]);
}

type Fault = Exclude<Taken, 'taken'>;

const addressErrors: Readonly<Record<Fault, (address: string, range: ItemRange) => string>> = {
  'held by another': () => 'provided IP is already allocated',
  'out of range': (address, { text }) =>
    `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${text}`,
};

const portErrors: Readonly<Record<Fault, (range: ItemRange) => string>> = {
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

function refused(service: Service, errors: readonly FieldError[]): Error {
  return invalidObject({ group: '', resource: 'Service' }, nameOf(service), errors);
}
