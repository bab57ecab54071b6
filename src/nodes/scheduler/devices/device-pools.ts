import type { Node } from '../../../controllers/resources.ts';
import type {
  Device,
  DeviceCapacity,
  DeviceCounterConsumption,
  ResourceSlice,
} from '../../../gen/types/resource-v1.ts';
import type { DeviceTaintRule } from '../../../gen/types/resource-v1beta2.ts';
import { matchesTerm } from '../../../kinds/core/node-selector.ts';
import { ruledTaints } from '../../../kinds/resource/device-taints.ts';
import { countersOf } from './device-counters.ts';
import type { CounterAmounts, DevicePool, OfferedDevice } from './offered-device.ts';

/** The slices of each pool's newest generation. */
type PoolSlices = ReadonlyMap<string, readonly ResourceSlice[]>;

/** Groups slices by pool, without slices of older generations. */
export function poolsOf(slices: readonly ResourceSlice[]): PoolSlices {
  const pools = new Map<string, ResourceSlice[]>();
  for (const slice of slices) {
    if (!slice.spec) continue;
    const { driver, pool } = slice.spec;
    const key = `${driver}/${pool.name}`;
    const known = pools.get(key) ?? [];
    const newer = generationOf(slice) - generationOf(known[0]);
    if (known.length === 0 || newer > 0) pools.set(key, [slice]);
    else if (newer === 0) known.push(slice);
  }
  return pools;
}

/**
 * The pools for a node, in the order in which their devices are tried: by name, pools with binding
 * conditions last. Taints of rules are added to the taints of drivers.
 */
export function poolsFor(node: Node, pools: PoolSlices, rules: readonly DeviceTaintRule[]): readonly DevicePool[] {
  const offered = [...pools].flatMap(([name, slices]) => poolFor(node, name, slices, rules) ?? []);
  return offered.toSorted((a, b) => bindsLater(a) - bindsLater(b) || (a.name < b.name ? -1 : 1));
}

function bindsLater({ devices }: DevicePool): number {
  return Number(devices.some((device) => device.bindingConditions));
}

function poolFor(
  node: Node,
  name: string,
  slices: readonly ResourceSlice[],
  rules: readonly DeviceTaintRule[],
): DevicePool | undefined {
  if (!slices.some((slice) => concerns(slice, node))) return undefined;
  const sorted = slices.toSorted((a, b) => ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1));
  const counters = countersOf(sorted.flatMap(({ spec }) => spec?.sharedCounters ?? []));
  const isComplete = slices.length === slices[0]?.spec?.pool.resourceSliceCount;
  const consumers = new Map(
    sorted.flatMap(({ spec }) =>
      devicesOf(spec).map((device) => [`${name}/${device.name}`, device.consumesCounters ?? []] as const),
    ),
  );
  const devices: OfferedDevice[] = [];
  const state = isComplete ? stateOf(sorted, node, counters) : 'updating';
  const pool: DevicePool = { name, state, devices, counters, consumers };
  if (state === 'usable') for (const slice of sorted) devices.push(...devicesFor(node, slice, rules, pool));
  return pool;
}

/** The state of a pool: a pool with contradicting slices is invalid. */
function stateOf(slices: readonly ResourceSlice[], node: Node, counters: CounterAmounts): 'usable' | 'invalid' {
  const sets = slices.flatMap(({ spec }) => spec?.sharedCounters ?? []);
  const here = slices.filter((slice) => concerns(slice, node)).flatMap(({ spec }) => devicesOf(spec));
  const isKnown = ({ counterSet, counters: consumed }: DeviceCounterConsumption): boolean =>
    Object.keys(consumed).every((name) => counters.get(counterSet)?.has(name)) && counters.has(counterSet);
  const consumed = slices.flatMap(({ spec }) => devicesOf(spec)).flatMap((device) => device.consumesCounters ?? []);
  const isValid =
    new Set(sets.map(({ name }) => name)).size === sets.length &&
    new Set(here.map(({ name }) => name)).size === here.length &&
    consumed.every(isKnown);
  return isValid ? 'usable' : 'invalid';
}

function generationOf(slice: ResourceSlice | undefined): number {
  return slice?.spec?.pool.generation ?? -1;
}

/** A device as in versions before v1beta2, whose properties are one level deeper. */
type AnyDevice = Device & { readonly basic?: Omit<Device, 'name'> };

function devicesOf(spec: ResourceSlice['spec']): readonly Device[] {
  return (spec?.devices ?? []).map((given: AnyDevice) => ({ ...given.basic, ...given }));
}

/** True if a slice matters for a node: for its devices, or for the counters of its pool. */
function concerns({ spec }: ResourceSlice, node: Node): boolean {
  if (!spec) return false;
  if ((spec.sharedCounters ?? []).length > 0) return true;
  const places = spec.perDeviceNodeSelection === true ? devicesOf(spec) : [spec];
  return places.some((place) => reaches(nodesOf(place), node));
}

function devicesFor(
  node: Node,
  { spec }: ResourceSlice,
  rules: readonly DeviceTaintRule[],
  poolOf: DevicePool,
): readonly OfferedDevice[] {
  if (!spec) return [];
  return devicesOf(spec).flatMap((device) => {
    const nodes = nodesOf(spec.perDeviceNodeSelection === true ? device : spec);
    if (!nodes || !reaches(nodes, node)) return [];
    const { driver, pool } = spec;
    const identity = { driver, pool: pool.name, name: device.name };
    return [
      {
        ...identity,
        id: `${poolOf.name}/${device.name}`,
        attributes: device.attributes ?? {},
        capacity: amountsOf(device.capacity),
        allowMultipleAllocations: device.allowMultipleAllocations,
        taints: [...(device.taints ?? []), ...ruledTaints(identity, rules)],
        consumesCounters: device.consumesCounters ?? [],
        bindsToNode: device.bindsToNode ?? false,
        bindingConditions: device.bindingConditions,
        bindingFailureConditions: device.bindingFailureConditions,
        nodes,
        poolOf,
      },
    ];
  });
}

/** The capacities of a device; in v1alpha3 a capacity is a plain amount. */
function amountsOf(capacity: Device['capacity'] = {}): OfferedDevice['capacity'] {
  const entries = Object.entries(capacity as Record<string, DeviceCapacity | string>);
  return Object.fromEntries(
    entries.map(([name, amount]) => [name, typeof amount === 'string' ? { value: amount } : amount]),
  );
}

function nodesOf({
  nodeName,
  nodeSelector,
  allNodes,
}: Pick<Device, 'nodeName' | 'nodeSelector' | 'allNodes'>): OfferedDevice['nodes'] | undefined {
  if (nodeName) return { name: nodeName };
  if (allNodes) return 'all';
  const term = nodeSelector?.nodeSelectorTerms?.[0];
  return term && { term };
}

function reaches(nodes: OfferedDevice['nodes'] | undefined, node: Node): boolean {
  if (!nodes) return false;
  if (nodes === 'all') return true;
  return 'name' in nodes ? nodes.name === node.metadata.name : matchesTerm(nodes.term, node);
}
