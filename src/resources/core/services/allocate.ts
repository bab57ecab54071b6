import { errorsOfEach } from '../../../status/all-errors.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { nameOf, uidOf } from '../../../meta/object-meta.ts';
import { isSet, makeObjectAt, numberAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import type { AllocationWrite, ObjectAllocator } from '../../../registry/object-allocator.ts';
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

/** The pools of a server. Their allocations are in the store, so all servers share them. */
interface ServicePools {
  readonly addresses: ItemPool;
  readonly ports: ItemPool;
}

/** Allocates the cluster IPs and node ports of Services. */
export function serviceAllocator(pools: ServicePools, family: AddressRange['family']): ObjectAllocator {
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

function drawsFor(service: JsonObject, { old, dryRun, signal }: AllocationWrite, pools: ServicePools): Draws {
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
async function droppedAllocations(service: JsonObject, { old }: AllocationWrite, pools: ServicePools) {
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
function fillFamilies(service: JsonObject, family: AddressRange['family']): void {
  const spec = makeObjectAt(service, 'spec');
  if (!hasClusterIpType(spec)) return;
  const bare = stringAt(spec, 'clusterIP') === headless && Object.keys(makeSelector(spec)).length === 0;
  if (!isSet(spec, 'ipFamilyPolicy')) spec['ipFamilyPolicy'] = bare ? 'RequireDualStack' : 'SingleStack';
  const families = stringsAt(spec, 'ipFamilies');
  const policy = stringAt(spec, 'ipFamilyPolicy');
  if (bare) {
    const [first = family] = families;
    const other = first === 'IPv4' ? 'IPv6' : 'IPv4';
    if (families.length < 2) spec['ipFamilies'] = policy === 'SingleStack' ? [first] : [first, other];
    return;
  }
  const errors = [
    ...(policy === 'RequireDualStack'
      ? [invalid('spec.ipFamilyPolicy', policy, 'this cluster is not configured for dual-stack services')]
      : []),
    ...errorsOfEach(families, (one, index) =>
      one === family ? [] : [invalid(`spec.ipFamilies[${index}]`, one, 'not configured on this cluster')],
    ),
  ];
  if (errors.length > 0) throw refused(service, errors);
  if (families.length === 0) spec['ipFamilies'] = [family];
}

function makeSelector(spec: JsonObject): JsonObject {
  return isSet(spec, 'selector') ? makeObjectAt(spec, 'selector') : {};
}

async function takeAddress(service: JsonObject, draw: Draw): Promise<void> {
  const spec = makeObjectAt(service, 'spec');
  if (!needsClusterIp(spec)) return;
  const wanted = stringAt(spec, 'clusterIP');
  if (wanted === '') {
    const address = await draw.any();
    spec['clusterIP'] = address;
    spec['clusterIPs'] = [address];
    return;
  }
  const taken = await draw.one(canonicalAddress(wanted) ?? wanted);
  if (taken === 'taken') return;
  const why = addressFaults[taken](wanted, draw.range);
  throw refused(service, [invalid('spec.clusterIPs', [wanted], `failed to allocate IP ${wanted}: ${why}`)]);
}

type Fault = Exclude<Taken, 'taken'>;

const addressFaults: Readonly<Record<Fault, (address: string, range: ItemRange) => string>> = {
  'held by another': () => 'provided IP is already allocated',
  'out of range': (address, { text }) =>
    `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${text}`,
};

const portFaults: Readonly<Record<Fault, (range: ItemRange) => string>> = {
  'held by another': () => 'provided port is already allocated',
  'out of range': ({ text }) => `provided port is not in the valid range. The range of valid ports is ${text}`,
};

async function takePorts(service: JsonObject, draw: Draw): Promise<void> {
  const spec = makeObjectAt(service, 'spec');
  const ports = needsNodePort(spec) ? objectsAt(spec, 'ports') : [];
  // Requested ports come first, so that a random choice for another port of the Service does not
  // take them.
  for (const [index, port] of ports.entries()) {
    await takePort(service, draw, `spec.ports[${index}].nodePort`, numberAt(port, 'nodePort') ?? 0);
  }
  if (wantsNodePorts(spec)) {
    const byNumber = portsByNumber(ports);
    for (const port of ports) {
      const alike = byNumber.get(numberAt(port, 'port') ?? 0) ?? [];
      if (!numberAt(port, 'nodePort')) port['nodePort'] = await sharedPort(draw, alike, port);
    }
  }
  if (!needsHealthPort(spec)) return;
  const healthPort = numberAt(spec, 'healthCheckNodePort') ?? 0;
  await takePort(service, draw, 'spec.healthCheckNodePort', healthPort);
  if (healthPort === 0) spec['healthCheckNodePort'] = Number(await draw.any());
}

async function takePort(service: JsonObject, draw: Draw, field: string, port: number): Promise<void> {
  if (port === 0) return;
  const taken = await draw.one(String(port));
  if (taken !== 'taken') throw refused(service, [invalid(field, port, portFaults[taken](draw.range))]);
}

function portsByNumber(ports: readonly JsonObject[]): ReadonlyMap<number, readonly JsonObject[]> {
  const byNumber = new Map<number, JsonObject[]>();
  for (const port of ports) {
    const number = numberAt(port, 'port') ?? 0;
    const alike = byNumber.get(number);
    if (alike) alike.push(port);
    else byNumber.set(number, [port]);
  }
  return byNumber;
}

/**
 * Chooses a node port for a port. Ports with the same number and different protocols share a node
 * port; `alike` are the ports with this number.
 */
async function sharedPort(draw: Draw, alike: readonly JsonObject[], port: JsonObject): Promise<number> {
  const same = alike.filter((other) => stringAt(other, 'protocol') !== stringAt(port, 'protocol'));
  const given = same.map((other) => numberAt(other, 'nodePort') ?? 0).find((nodePort) => nodePort > 0);
  return given ?? Number(await draw.any());
}

function refused(service: JsonObject, errors: readonly FieldError[]): Error {
  return invalidObject({ group: '', resource: 'Service' }, nameOf(service), errors);
}
