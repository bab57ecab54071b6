import type { DescribedDevice } from '../../../cel/devices/device-value.ts';
import type { Node } from '../../../controllers/resources.ts';
import type { NodeSelectorTerm } from '../../../gen/types/core-v1.ts';
import type { Device, DeviceTaint, ExactDeviceRequest, ResourceSlice } from '../../../gen/types/resource-v1.ts';
import type { DeviceTaintRule } from '../../../gen/types/resource-v1beta2.ts';
import { matchesTerm } from '../../../kinds/core/node-selector.ts';
import { type DeviceIdentity, ruledTaints } from '../../../kinds/resource/device-taints.ts';

/** A device that a node can use. */
export interface OfferedDevice extends DescribedDevice, DeviceIdentity {
  readonly attributes: NonNullable<Device['attributes']>;
  readonly taints: readonly DeviceTaint[];
  readonly bindingConditions?: readonly string[] | undefined;
  readonly bindingFailureConditions?: readonly string[] | undefined;
  /** The nodes that can use it: one by name, those of a term, or all. */
  readonly nodes: { readonly name: string } | { readonly term: NodeSelectorTerm } | 'all';
}

/** A device that was chosen for a request, `<request>` or `<request>/<alternative>`. */
export interface ChosenDevice {
  readonly request: string;
  readonly device: OfferedDevice;
  readonly needs: ExactDeviceRequest;
}

/** The identity of a device: its driver, pool and name. */
export function deviceId({ driver, pool, name }: DeviceIdentity): string {
  return `${driver}/${pool}/${name}`;
}

/** The devices that a node can use, of pools whose slices are all there. */
interface Offer {
  readonly devices: readonly OfferedDevice[];
  /** True if a pool of the node has slices that are missing. */
  readonly isIncomplete: boolean;
}

/** The devices that a node can use. Taints of rules are added to those of drivers. */
export function offerTo(node: Node, slices: readonly ResourceSlice[], rules: readonly DeviceTaintRule[]): Offer {
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
  let isIncomplete = false;
  const devices: OfferedDevice[] = [];
  for (const parts of pools.values()) {
    const here = parts.flatMap((slice) => devicesIn(slice, node, rules));
    if (here.length === 0) continue;
    if (parts.length === parts[0]?.spec?.pool.resourceSliceCount) devices.push(...here);
    else isIncomplete = true;
  }
  return { devices: devices.toSorted((a, b) => compare(deviceId(a), deviceId(b))), isIncomplete };
}

/** Names with numbers are in the order of the numbers. */
const collator = new Intl.Collator('en', { numeric: true });

function compare(left: string, right: string): number {
  return collator.compare(left, right);
}

function generationOf(slice: ResourceSlice | undefined): number {
  return slice?.spec?.pool.generation ?? -1;
}

/** Properties of a device in versions before v1beta2 are one level deeper. */
type AnyDevice = Device & { readonly basic?: Omit<Device, 'name'> };

function devicesIn({ spec }: ResourceSlice, node: Node, rules: readonly DeviceTaintRule[]): readonly OfferedDevice[] {
  if (!spec) return [];
  return (spec.devices ?? []).flatMap((given: AnyDevice) => {
    const device: Device = { ...given.basic, ...given };
    // Devices that divide counters of their pool are left to schedulers that count them.
    if ((device.consumesCounters ?? []).length > 0) return [];
    const nodes = nodesOf(spec.perDeviceNodeSelection === true ? device : spec);
    if (!nodes || !reaches(nodes, node)) return [];
    const { driver, pool } = spec;
    const identity = { driver, pool: pool.name, name: device.name };
    return [
      {
        ...identity,
        attributes: device.attributes ?? {},
        capacity: amountsOf(device.capacity),
        allowMultipleAllocations: device.allowMultipleAllocations,
        taints: [...(device.taints ?? []), ...ruledTaints(identity, rules)],
        bindingConditions: device.bindingConditions,
        bindingFailureConditions: device.bindingFailureConditions,
        nodes,
      },
    ];
  });
}

/** A capacity is a bare amount in v1alpha3. */
function amountsOf(capacity: Device['capacity'] = {}): NonNullable<DescribedDevice['capacity']> {
  const entries = Object.entries(capacity as Record<string, { value?: string } | string>);
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
  const term = nodeSelector?.nodeSelectorTerms?.[0];
  if (term) return { term };
  return allNodes ? 'all' : undefined;
}

function reaches(nodes: OfferedDevice['nodes'], node: Node): boolean {
  if (nodes === 'all') return true;
  return 'name' in nodes ? nodes.name === node.metadata.name : matchesTerm(nodes.term, node);
}
