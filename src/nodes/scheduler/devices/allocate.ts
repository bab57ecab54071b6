import { compileSelector } from '../../../cel/devices/compile-selector.ts';
import { ExpressionError } from '../../../cel/values/expression.ts';
import { CostExceeded } from '../../../cel/values/work-meter.ts';
import type {
  DeviceClass,
  DeviceConstraint,
  DeviceSelector,
  DeviceToleration,
  ExactDeviceRequest,
} from '../../../gen/types/resource-v1.ts';
import type { ResourceClaim } from '../../../controllers/resources.ts';
import { toleratesTaint } from '../../../kinds/resource/device-taints.ts';
import { meetsConstraints } from './constraints.ts';
import { type ChosenDevice, deviceId, type OfferedDevice } from './device-pools.ts';

/** The devices of a node, and what is known about them. */
interface AllocationState {
  readonly devices: readonly OfferedDevice[];
  /** True if there may be more devices: requests for all of them cannot be fulfilled. */
  readonly isIncomplete: boolean;
  /** The ids of devices that claims have. */
  readonly inUse: ReadonlySet<string>;
  readonly classOf: (name: string) => DeviceClass | undefined;
}

/** A request, with the ways in which it can be fulfilled. */
interface Request {
  readonly name: string;
  readonly ways: readonly { readonly request: string; readonly needs: ExactDeviceRequest }[];
}

/** Devices that a search compares at most. A claim that needs more is left alone. */
const stepLimit = 20_000;

/** How many devices a claim gets at most. */
const resultLimit = 32;

/**
 * Chooses devices for claims that have none, in their order. Returns the devices of each claim, or
 * why the node has none. Alternatives are tried in their order.
 */
export function allocate(
  claims: readonly ResourceClaim[],
  state: AllocationState,
): ReadonlyMap<string, readonly ChosenDevice[]> | { readonly problem: string } {
  const inUse = new Set(state.inUse);
  const found = new Map<string, readonly ChosenDevice[]>();
  for (const claim of claims) {
    const search = new Search(claim, { ...state, inUse });
    const chosen = search.run();
    if (!chosen) return { problem: search.problem };
    for (const { device, needs } of chosen) if (!needs.adminAccess) inUse.add(deviceId(device));
    found.set(claim.metadata.uid, chosen);
  }
  return found;
}

/** A depth-first search for the devices of one claim. */
class Search {
  problem = 'cannot allocate all claims';
  readonly #state: AllocationState;
  readonly #requests: readonly Request[];
  readonly #constraints: readonly DeviceConstraint[];
  readonly #chosen: ChosenDevice[] = [];
  readonly #fitting = new Map<ExactDeviceRequest, readonly OfferedDevice[]>();
  #steps = 0;

  constructor({ spec }: ResourceClaim, state: AllocationState) {
    this.#state = state;
    this.#requests = (spec.devices?.requests ?? []).map(requestOf);
    this.#constraints = spec.devices?.constraints ?? [];
  }

  run(): readonly ChosenDevice[] | undefined {
    return this.#fill(0) ? [...this.#chosen] : undefined;
  }

  /** Fulfils the requests from an index on. */
  #fill(index: number): boolean {
    const request = this.#requests[index];
    if (!request) return true;
    return request.ways.some(({ request: name, needs }) => {
      const fitting = this.#fits(needs);
      const isAll = needs.allocationMode === 'All';
      if (isAll && (this.#state.isIncomplete || fitting.length === 0)) return false;
      const count = isAll ? fitting.length : (needs.count ?? 1);
      return this.#choose({ name, needs, fitting, count, from: 0 }, () => this.#fill(index + 1));
    });
  }

  /** Chooses more devices for a request, and then goes on. Undoes what leads to nothing. */
  #choose(
    part: {
      readonly name: string;
      readonly needs: ExactDeviceRequest;
      readonly fitting: readonly OfferedDevice[];
      readonly count: number;
      readonly from: number;
    },
    rest: () => boolean,
  ): boolean {
    const { name, needs, fitting, count, from } = part;
    if (count === 0) return rest();
    if (this.#chosen.length >= resultLimit) return false;
    for (let index = from; index <= fitting.length - count; index++) {
      const device = fitting[index];
      if (!device || !this.#isFree(device, needs)) continue;
      if (++this.#steps > stepLimit) {
        this.problem = 'the search for devices takes too long';
        return false;
      }
      this.#chosen.push({ request: name, device, needs });
      const goesOn =
        meetsConstraints(this.#chosen, this.#constraints) &&
        this.#choose({ ...part, count: count - 1, from: index + 1 }, rest);
      if (goesOn) return true;
      this.#chosen.pop();
    }
    return false;
  }

  #isFree(device: OfferedDevice, { adminAccess = false }: ExactDeviceRequest): boolean {
    if (adminAccess) return true;
    const id = deviceId(device);
    const isChosen = this.#chosen.some((other) => !other.needs.adminAccess && deviceId(other.device) === id);
    return !isChosen && !this.#state.inUse.has(id);
  }

  /** The devices that a request could have, whether they are free or not. */
  #fits(needs: ExactDeviceRequest): readonly OfferedDevice[] {
    const known = this.#fitting.get(needs);
    if (known) return known;
    const { deviceClassName, selectors = [], tolerations = [] } = needs;
    const ofClass = this.#state.classOf(deviceClassName)?.spec?.selectors ?? [];
    const found = this.#state.devices.filter(
      (device) =>
        isTolerated(device, tolerations) && [...ofClass, ...selectors].every((one) => this.#selects(one, device)),
    );
    this.#fitting.set(needs, found);
    return found;
  }

  /** An expression that fails selects nothing, and is the reason against the node. */
  #selects({ cel }: DeviceSelector, device: OfferedDevice): boolean {
    try {
      return compileSelector(cel?.expression ?? 'false').matches(device);
    } catch (error) {
      if (!(error instanceof ExpressionError) && !(error instanceof CostExceeded)) throw error;
      this.problem = `selector of device ${deviceId(device)}: ${error.message}`;
      return false;
    }
  }
}

/**
 * The ways in which a request can be fulfilled. Its needs are beside its name in versions before
 * v1beta2.
 */
export function requestOf(
  request: NonNullable<NonNullable<ResourceClaim['spec']['devices']>['requests']>[number],
): Request {
  const { name, exactly, firstAvailable = [] } = request;
  if (firstAvailable.length > 0) {
    const ways = firstAvailable.map((needs) => ({ request: `${name}/${needs.name}`, needs }));
    return { name, ways: ways };
  }
  return { name, ways: [{ request: name, needs: exactly ?? (request as unknown as ExactDeviceRequest) }] };
}

const repelling: ReadonlySet<unknown> = new Set(['NoSchedule', 'NoExecute']);

function isTolerated({ taints }: OfferedDevice, tolerations: readonly DeviceToleration[]): boolean {
  return taints
    .filter(({ effect }) => repelling.has(effect))
    .every((taint) => tolerations.some((toleration) => toleratesTaint(toleration, taint)));
}
