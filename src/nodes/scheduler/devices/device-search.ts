import { compileSelector } from '../../../cel/devices/compile-selector.ts';
import { ExpressionError } from '../../../cel/values/expression.ts';
import { CostExceeded } from '../../../cel/values/work-meter.ts';
import type { ResourceClaim } from '../../../controllers/resources.ts';
import type {
  DeviceClass,
  DeviceSelector,
  DeviceToleration,
  ExactDeviceRequest,
} from '../../../gen/types/resource-v1.ts';
import { toleratesTaint } from '../../../kinds/resource/device-taints.ts';
import { meetsConstraints } from './constraints.ts';
import { type ConsumedCapacity, consumedCapacity, quantityOf } from './consumed-capacity.ts';
import { addCounters, countersLeft, isCovered } from './device-counters.ts';
import type { DevicesInUse } from './devices-in-use.ts';
import type { ChosenDevice, CounterAmounts, DevicePool, OfferedDevice } from './offered-device.ts';
import { type AlternativeRequest, requestOf } from './request-ways.ts';

/** The devices of a node, and their use. */
export interface AllocationState {
  readonly pools: readonly DevicePool[];
  readonly inUse: DevicesInUse;
  readonly classOf: (name: string) => DeviceClass | undefined;
  /** Makes the ID of a share of a device. */
  readonly shareId: () => string;
}

/** The most steps of a search. If a pod needs more, it stays unscheduled. */
const stepLimit = 20_000;

/**
 * The number of minor checks that count as one step: of devices for requests for all, of
 * constraints.
 */
const worksPerStep = 16;

/** The most devices of a claim. */
const resultLimit = 32;

/** The devices that were chosen for a claim so far. */
interface ClaimSearch {
  readonly claim: ResourceClaim;
  readonly requests: readonly AlternativeRequest[];
  readonly chosen: ChosenDevice[];
}

/** A request whose devices are being chosen. */
interface OpenRequest {
  readonly of: ClaimSearch;
  readonly name: string;
  readonly needs: ExactDeviceRequest;
  readonly fitting: readonly OfferedDevice[];
  readonly count: number;
  /** The index of the next device to try. A request never gets two shares of one device. */
  readonly from: number;
}

/** A depth-first search for the devices of claims. */
export class DeviceSearch {
  problem = 'cannot allocate all claims';
  readonly #state: AllocationState;
  readonly #claims: readonly ClaimSearch[];
  readonly #fitting = new Map<ExactDeviceRequest, readonly OfferedDevice[]>();
  readonly #left = new Map<DevicePool, CounterAmounts>();
  readonly #consumed = new Map<DevicePool, CounterAmounts>();
  #steps = 0;

  constructor(claims: readonly ResourceClaim[], state: AllocationState) {
    this.#state = state;
    this.#claims = claims.map((claim) => ({
      claim,
      requests: (claim.spec.devices?.requests ?? []).map(requestOf),
      chosen: [],
    }));
  }

  /**
   * The devices of each claim by UID; undefined if there are not enough, with the reason in
   * `problem`.
   */
  run(): ReadonlyMap<string, readonly ChosenDevice[]> | undefined {
    if (!this.#fill(0, 0)) return undefined;
    return new Map(this.#claims.map(({ claim, chosen }) => [claim.metadata.uid, [...chosen]]));
  }

  /** Allocates the requests of a claim from an index on, then the following claims. */
  #fill(claimIndex: number, index: number): boolean {
    const of = this.#claims[claimIndex];
    if (!of) return true;
    const request = of.requests[index];
    if (!request) return this.#fill(claimIndex + 1, 0);
    return request.ways.some(({ request: name, needs }) => {
      const isAll = needs.allocationMode === 'All';
      const selected = this.#fits(needs);
      if (isAll && !this.#hasSteps(selected.length)) return false;
      const fitting = isAll ? selected.filter((device) => this.#consumedBy(device, needs, [])) : selected;
      if (isAll && fitting.length === 0) return false;
      const count = isAll ? fitting.length : (needs.count ?? 1);
      if (of.chosen.length + count > resultLimit) return false;
      return this.#choose({ of, name, needs, fitting, count, from: 0 }, () => this.#fill(claimIndex, index + 1));
    });
  }

  /** Chooses the remaining devices of a request, then continues. Undoes choices that fail later. */
  #choose(open: OpenRequest, rest: () => boolean): boolean {
    const { fitting, count, from, needs } = open;
    if (count === 0) return rest();
    const { constraints = [] } = open.of.claim.spec.devices ?? {};
    // A request for all devices needs each of them, so that there is no alternative.
    const end = needs.allocationMode === 'All' ? from + 1 : fitting.length;
    for (let index = from; index < end; index++) {
      const device = fitting[index];
      if (!device) continue;
      if (!this.#hasSteps(worksPerStep + open.of.chosen.length * constraints.length)) return false;
      const chosen = this.#take(device, open);
      if (!chosen) continue;
      const goesOn =
        meetsConstraints(open.of.chosen, constraints) &&
        this.#choose({ ...open, count: count - 1, from: index + 1 }, rest);
      if (goesOn) return true;
      this.#giveBack(chosen, open);
    }
    return false;
  }

  /** Counts minor checks; false if the search has no steps left. */
  #hasSteps(works: number): boolean {
    this.#steps += works / worksPerStep;
    if (this.#steps <= stepLimit) return true;
    this.problem = 'the search for devices takes too long';
    return false;
  }

  /** Chooses a device for a request; undefined if it is not available. */
  #take(device: OfferedDevice, { of, name, needs }: OpenRequest): ChosenDevice | undefined {
    if (!this.#isFree(device, needs, of) || !isTolerated(device, needs.tolerations)) return undefined;
    const others = this.#chosenOf(device);
    const consumed = this.#consumedBy(device, needs, others);
    if (!consumed || !this.#hasCounters(device, others)) return undefined;
    const share = device.allowMultipleAllocations ? { share: { id: this.#state.shareId(), consumed } } : {};
    const chosen: ChosenDevice = { request: name, device, needs, ...share };
    if (this.#takesCounters(device, others)) addCounters(this.#consumedOf(device), device.consumesCounters, 1n);
    of.chosen.push(chosen);
    return chosen;
  }

  #giveBack({ device }: ChosenDevice, { of }: OpenRequest): void {
    of.chosen.pop();
    if (this.#takesCounters(device, this.#chosenOf(device))) {
      addCounters(this.#consumedOf(device), device.consumesCounters, -1n);
    }
  }

  /** The present choices of a device, in all claims. */
  #chosenOf({ id }: OfferedDevice): readonly ChosenDevice[] {
    return this.#claims.flatMap(({ chosen }) => chosen.filter(({ device }) => device.id === id));
  }

  #isFree(device: OfferedDevice, { adminAccess = false }: ExactDeviceRequest, of: ClaimSearch): boolean {
    if (device.allowMultipleAllocations) return adminAccess || !this.#state.inUse.exclusive.has(device.id);
    if (adminAccess) return !of.chosen.some((other) => other.device.id === device.id);
    return !this.#state.inUse.exclusive.has(device.id) && this.#chosenOf(device).length === 0;
  }

  /** The amounts that a request consumes of a device; undefined if they are not available. */
  #consumedBy(
    device: OfferedDevice,
    { capacity }: ExactDeviceRequest,
    others: readonly ChosenDevice[],
  ): ConsumedCapacity | undefined {
    const consumed = consumedCapacity(capacity?.requests, device.capacity);
    if (!consumed) return undefined;
    const allocated = this.#state.inUse.shared.get(device.id);
    const isWithin = [...consumed].every(([name, { nanos }]) => {
      const ofOthers = others.reduce((sum, { share }) => sum + (share?.consumed.get(name)?.nanos ?? 0n), 0n);
      const total = quantityOf(device.capacity[name]?.value)?.nanos ?? 0n;
      return nanos + ofOthers + (allocated?.get(name) ?? 0n) <= total;
    });
    return isWithin ? consumed : undefined;
  }

  /** True if a device consumes counters; only the first share of a device does. */
  #takesCounters({ id, allowMultipleAllocations, ...device }: OfferedDevice, others: readonly ChosenDevice[]): boolean {
    if (device.consumesCounters.length === 0) return false;
    return !allowMultipleAllocations || (others.length === 0 && !this.#state.inUse.shared.has(id));
  }

  #hasCounters(device: OfferedDevice, others: readonly ChosenDevice[]): boolean {
    if (!this.#takesCounters(device, others)) return true;
    const pool = device.poolOf;
    const left = this.#left.get(pool) ?? countersLeft(pool, this.#state.inUse);
    this.#left.set(pool, left);
    const consumed = this.#consumedOf(device);
    addCounters(consumed, device.consumesCounters, 1n);
    const isEnough = isCovered(consumed, left);
    addCounters(consumed, device.consumesCounters, -1n);
    return isEnough;
  }

  #consumedOf({ poolOf }: OfferedDevice): CounterAmounts {
    const known: CounterAmounts = this.#consumed.get(poolOf) ?? new Map();
    this.#consumed.set(poolOf, known);
    return known;
  }

  /** The devices that match a request, available or not. */
  #fits(needs: ExactDeviceRequest): readonly OfferedDevice[] {
    const known = this.#fitting.get(needs);
    if (known) return known;
    const { deviceClassName, selectors = [] } = needs;
    const ofClass = this.#state.classOf(deviceClassName)?.spec?.selectors ?? [];
    const found = this.#state.pools
      .flatMap(({ devices }) => devices)
      .filter((device) => [...ofClass, ...selectors].every((one) => this.#selects(one, device)));
    this.#fitting.set(needs, found);
    return found;
  }

  /** Evaluates a selector. A failing expression matches nothing, and becomes the node's problem. */
  #selects({ cel }: DeviceSelector, device: OfferedDevice): boolean {
    try {
      return compileSelector(cel?.expression ?? 'false').matches(device);
    } catch (error) {
      if (!(error instanceof ExpressionError) && !(error instanceof CostExceeded)) throw error;
      this.problem = `selector of device ${device.id}: ${error.message}`;
      return false;
    }
  }
}

const repelling: ReadonlySet<unknown> = new Set(['NoSchedule', 'NoExecute']);

function isTolerated({ taints }: OfferedDevice, tolerations: readonly DeviceToleration[] = []): boolean {
  return taints
    .filter(({ effect }) => repelling.has(effect))
    .every((taint) => tolerations.some((toleration) => toleratesTaint(toleration, taint)));
}
