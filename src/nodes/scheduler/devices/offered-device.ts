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

/** Amounts of counters in billionths, by their set and name. */
export type CounterAmounts = Map<string, Map<string, bigint>>;

/** A device that a node can use. */
export interface OfferedDevice extends DescribedDevice, DeviceIdentity {
  /** The driver, the pool and the name: no other device has it. */
  readonly id: string;
  readonly attributes: NonNullable<Device['attributes']>;
  readonly capacity: Readonly<Record<string, DeviceCapacity>>;
  readonly taints: readonly DeviceTaint[];
  readonly consumesCounters: readonly DeviceCounterConsumption[];
  readonly bindsToNode: boolean;
  readonly bindingConditions?: readonly string[] | undefined;
  readonly bindingFailureConditions?: readonly string[] | undefined;
  /** The nodes that can use it: one by name, the nodes of a term, or all. */
  readonly nodes: { readonly name: string } | { readonly term: NodeSelectorTerm } | 'all';
  readonly poolOf: DevicePool;
}

/** A device that was chosen for a request, `<request>` or `<request>/<alternative>`. */
export interface ChosenDevice {
  readonly request: string;
  readonly device: OfferedDevice;
  readonly needs: ExactDeviceRequest;
  /** The share of a device that is not for one request alone. */
  readonly share?: { readonly id: string; readonly consumed: ConsumedCapacity };
}

/** Devices of a driver that are described together, as one node sees them. */
export interface DevicePool {
  /** The driver and the name of the pool. */
  readonly name: string;
  /** `updating` while slices of it are missing. */
  readonly state: 'usable' | 'updating' | 'invalid';
  /** The devices that the node can use. */
  readonly devices: readonly OfferedDevice[];
  readonly counters: CounterAmounts;
  /** The counters that devices consume, by their ids, whichever nodes can use them. */
  readonly consumers: ReadonlyMap<string, readonly DeviceCounterConsumption[]>;
}
