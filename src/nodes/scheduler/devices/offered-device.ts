import type { DescribedDevice } from '../../../cel/devices/device-value.ts';
import type { NodeSelectorTerm } from '../../../gen/types/core-v1.ts';
import type {
  Device,
  DeviceCapacity,
  DeviceCounterConsumption,
  DeviceTaint,
  ExactDeviceRequest,
} from '../../../gen/types/resource-v1.ts';
import type { DeviceIdentity } from '../../../kinds/resource/device-taints.ts';
import type { ConsumedCapacity } from './consumed-capacity.ts';

/** Counter amounts in billionths, by set and counter. */
export type CounterAmounts = Map<string, Map<string, bigint>>;

/** A device that a node can use. */
export interface OfferedDevice extends DescribedDevice, DeviceIdentity {
  /** The unique driver, pool and name. */
  readonly id: string;
  readonly attributes: NonNullable<Device['attributes']>;
  readonly capacity: Readonly<Record<string, DeviceCapacity>>;
  readonly taints: readonly DeviceTaint[];
  readonly consumesCounters: readonly DeviceCounterConsumption[];
  readonly bindsToNode: boolean;
  readonly bindingConditions?: readonly string[] | undefined;
  readonly bindingFailureConditions?: readonly string[] | undefined;
  /** The nodes that can use it: one by name, the nodes of a selector term, or all. */
  readonly nodes: { readonly name: string } | { readonly term: NodeSelectorTerm } | 'all';
  readonly poolOf: DevicePool;
}

/** A device that was chosen for a request, `<request>` or `<request>/<alternative>`. */
export interface ChosenDevice {
  readonly request: string;
  readonly device: OfferedDevice;
  readonly needs: ExactDeviceRequest;
  /** The share, if the device is shared by several requests. */
  readonly share?: { readonly id: string; readonly consumed: ConsumedCapacity };
}

/** The devices of a driver in one pool, for a node. */
export interface DevicePool {
  /** The driver and the name of the pool. */
  readonly name: string;
  /** The state of the pool; `updating` while slices are missing. */
  readonly state: 'usable' | 'updating' | 'invalid';
  /** The devices that the node can use. */
  readonly devices: readonly OfferedDevice[];
  readonly counters: CounterAmounts;
  /** The counters that devices consume, by device ID, for all nodes. */
  readonly consumers: ReadonlyMap<string, readonly DeviceCounterConsumption[]>;
}
