import { randomUUID } from 'node:crypto';
import type { Client } from '../../../client/client.ts';
import type { Node, Pod, ResourceClaim } from '../../../controllers/resources.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { amountAt } from '../../../kinds/core/amounts.ts';
import { matchesTerm } from '../../../kinds/core/node-selector.ts';
import { podClaimsOf } from '../../../kinds/core/pod-claims.ts';
import { claimFinalizer } from '../../../kinds/resource/claim-finalizer.ts';
import { type Allocation, allocate } from './allocate.ts';
import { resultOf } from './claim-status.ts';
import { ClaimWrites, isUser, type Reservation } from './claim-writes.ts';
import type { DeviceLookup } from './device-lookup.ts';
import { poolsFor, poolsOf } from './device-pools.ts';
import { devicesInUse } from './devices-in-use.ts';
import { extendedClaim, extendedClaimOf } from './extended-claim.ts';
import { classOfResource, type ExtendedRequests, extendedRequests, extendedResourcesOf } from './extended-resources.ts';
import type { ChosenDevice } from './offered-device.ts';
import { requestOf } from './request-ways.ts';

/** Devices that were chosen for a claim, and the version of the claim that includes them. */
interface Assumption {
  readonly chosen: readonly ChosenDevice[];
  /** The version of the written claim; undefined while the write is in flight. */
  version?: bigint;
}

/** The most users of a claim. */
const mostUsers = 256;

/** The devices for a pod on a node. */
interface DevicePlan {
  /** The claims of the pod, ending with the one to create for extended resources, if any. */
  readonly claims: readonly ResourceClaim[];
  readonly found: Allocation;
  /** The requests of the claim to create for extended resources. */
  readonly extended?: ExtendedRequests;
}

/** The check of nodes for the devices of a pod. */
export interface DeviceCheck {
  /** Returns the reason why a node does not fit. */
  readonly problem: (node: Node) => string | undefined;
  /** True if a resource must come from devices, because the node itself has none of it. */
  readonly provides: (resource: string, node: Node) => boolean;
}

const nothingNeeded: DeviceCheck = Object.freeze({ problem: () => undefined, provides: () => false });

/** Schedules the devices that pods claim. */
export class DeviceScheduling {
  readonly #lookup: DeviceLookup;
  readonly #identifiers: Identifiers;
  readonly #writes: ClaimWrites;
  /** The choices by UID of the claim, until the informer has the written claim. */
  readonly #assumed = new Map<string, Assumption>();

  constructor(
    lookup: DeviceLookup,
    { client, identifiers, signal }: { client: Client; identifiers: Identifiers; signal: AbortSignal },
  ) {
    this.#lookup = lookup;
    this.#identifiers = identifiers;
    this.#writes = new ClaimWrites({ lookup, client, signal, finalizer: claimFinalizer(identifiers) });
  }

  /**
   * True when the claims of a pod are known. The first call for a pod with claims starts the lists.
   */
  isReady(pod: Pod): boolean {
    const needsNone =
      (pod.spec.resourceClaims ?? []).length === 0 && extendedResourcesOf(pod, this.#identifiers).length === 0;
    return needsNone || this.#lookup.isReady();
  }

  /** The reason why a pod fits on no node; undefined if its claims allow scheduling. */
  problem(pod: Pod): string | undefined {
    for (const { podClaim, claim: name } of podClaimsOf(pod)) {
      if (name === undefined) return `waiting for a ResourceClaim to be created for ${JSON.stringify(podClaim)}`;
      const claim = this.#lookup.claim(name, pod.metadata.namespace);
      if (!claim) return `resourceclaim ${JSON.stringify(name)} not found`;
      if (claim.metadata.deletionTimestamp) return `resourceclaim ${JSON.stringify(name)} is being deleted`;
      const users = claim.status?.reservedFor ?? [];
      if (users.length >= mostUsers && !isUser(claim, pod)) return `resourceclaim ${JSON.stringify(name)} in use`;
      const missing = this.#missingClass(claim);
      if (missing !== undefined) return missing;
    }
    return this.#left(pod) ? 'cannot schedule extended resource claim' : undefined;
  }

  /** The claim for extended resources that a failed attempt has left. */
  #left(pod: Pod): ResourceClaim | undefined {
    if (this.#classes(pod).size === 0) return undefined;
    return extendedClaimOf(pod, this.#lookup.claims(), this.#identifiers);
  }

  /** Deletes the claim that a failed attempt has left. The pod is retried when it is gone. */
  async tidy(pod: Pod): Promise<void> {
    const left = this.#left(pod);
    if (left) await this.#writes.remove(left);
  }

  #missingClass(claim: ResourceClaim): string | undefined {
    if (claim.status?.allocation) return undefined;
    for (const request of claim.spec.devices?.requests ?? []) {
      const { name, ways } = requestOf(request);
      const missing = ways.map(({ needs }) => needs.deviceClassName ?? '').find((one) => !this.#lookup.classOf(one));
      if (missing !== undefined) return `request ${name}: device class ${missing} does not exist`;
    }
    return undefined;
  }

  /** The device classes for the extended resources of a pod, by resource. */
  #classes(pod: Pod): ReadonlyMap<string, string> {
    const resources = extendedResourcesOf(pod, this.#identifiers);
    if (resources.length === 0) return new Map();
    const all = this.#lookup.classes();
    return new Map(
      resources.flatMap((resource) => {
        const found = classOfResource(resource, all, this.#identifiers);
        return found === undefined ? [] : [[resource, found]];
      }),
    );
  }

  /** Returns the check of nodes for the devices of a pod, in the present state. */
  check(pod: Pod): DeviceCheck {
    const classes = this.#classes(pod);
    if (classes.size === 0 && (pod.spec.resourceClaims ?? []).length === 0) return nothingNeeded;
    const plan = this.#planner(pod, classes);
    return {
      problem(node) {
        const { found } = plan(node);
        return 'problem' in found ? found.problem : undefined;
      },
      provides: (resource, node) => classes.has(resource) && !hasOwn(node, resource),
    };
  }

  #claimsOf({ metadata, ...pod }: Pod): readonly ResourceClaim[] {
    return podClaimsOf(pod).flatMap(({ claim }) =>
      claim === undefined ? [] : (this.#lookup.claim(claim, metadata.namespace) ?? []),
    );
  }

  /** Returns a planner with the present state; claims and allocated devices are read once. */
  #planner(pod: Pod, classes: ReadonlyMap<string, string>): (node: Node) => DevicePlan {
    const claims = this.#claimsOf(pod);
    const placed = claims.filter(({ status }) => status?.allocation);
    const waiting = claims.filter(({ status }) => !status?.allocation);
    this.#forgetShown();
    // Another pod's choice for this claim is still being written.
    const isBusy = waiting.some(({ metadata }) => this.#assumed.has(metadata.uid));
    const assumed = [...this.#assumed.values()].flatMap(({ chosen }) => chosen.map(resultOf));
    const shared = {
      inUse: devicesInUse(this.#lookup.claims(), assumed),
      classOf: (name: string) => this.#lookup.classOf(name),
      shareId: randomUUID,
    };
    const pools = poolsOf(this.#lookup.slices());
    const rules = this.#lookup.rules();
    return (node) => {
      const needed = new Map([...classes].filter(([resource]) => !hasOwn(node, resource)));
      const extended = needed.size > 0 ? extendedRequests(pod, needed) : undefined;
      const made = extended ? [extendedClaim(pod, extended, this.#identifiers)] : [];
      const plan = { claims: [...claims, ...made], ...(extended ? { extended } : {}) };
      if (!placed.every((claim) => isUsableOn(claim, node))) {
        return { ...plan, found: { problem: 'resourceclaim not available on the node' } };
      }
      if (isBusy) return { ...plan, found: { problem: 'resourceclaim is being allocated' } };
      const state = { ...shared, pools: poolsFor(node, pools, rules) };
      return { ...plan, found: allocate([...waiting, ...made], state) };
    };
  }

  /** Drops choices that the informer has, or whose claim is deleted. */
  #forgetShown(): void {
    if (this.#assumed.size === 0) return;
    const versions = new Map(
      this.#lookup.claims().map(({ metadata }) => [metadata.uid, BigInt(metadata.resourceVersion)]),
    );
    for (const [uid, { version }] of this.#assumed) {
      if (version !== undefined && (versions.get(uid) ?? version) >= version) this.#assumed.delete(uid);
    }
  }

  /**
   * Chooses devices for a pod on a node; other pods cannot get them from now on. Throws if the
   * devices are not available any more.
   */
  assume(pod: Pod, node: Node): DeviceReservation {
    const classes = this.#classes(pod);
    const needsNone = classes.size === 0 && (pod.spec.resourceClaims ?? []).length === 0;
    if (needsNone) return nothingReserved;
    const { found, claims, extended } = this.#planner(pod, classes)(node);
    if ('problem' in found) throw new Error(`devices of pod ${pod.metadata.name}: ${found.problem}`);
    for (const [uid, chosen] of found) this.#assumed.set(uid, { chosen });
    const forget = (): void => {
      for (const uid of found.keys()) this.#assumed.delete(uid);
    };
    const reservation: Reservation = {
      pod,
      node,
      claims,
      found,
      ...(extended ? { mappings: extended.mappings } : {}),
      onAllocated: (uid, claim) => {
        const assumption = this.#assumed.get(uid);
        if (!assumption) return;
        this.#assumed.delete(uid);
        this.#assumed.set(claim.metadata.uid, { ...assumption, version: BigInt(claim.metadata.resourceVersion) });
      },
    };
    let written: readonly ResourceClaim[] = [];
    return {
      write: async () => {
        written = await this.#writes.reserve(reservation);
      },
      isBoundLater: () => this.#writes.isBoundLater(written),
      untilBound: () => this.#writes.untilReady(written),
      release: async () => {
        forget();
        await this.#writes.release(reservation, written);
      },
    };
  }
}

/** The devices that were chosen for a pod. */
export interface DeviceReservation {
  /** Writes the claims. If one was changed meanwhile, undoes the other writes and throws. */
  readonly write: () => Promise<void>;
  /** True if drivers must prepare devices before the pod can be bound. */
  readonly isBoundLater: () => boolean;
  /** Resolves when drivers have prepared the devices. Throws if they fail. */
  readonly untilBound: () => Promise<void>;
  /** Undoes the choice and the writes. */
  readonly release: () => Promise<void>;
}

const nothingReserved: DeviceReservation = Object.freeze({
  write: async () => {},
  isBoundLater: () => false,
  untilBound: async () => {},
  release: async () => {},
});

/** True if a node itself provides a resource. */
function hasOwn({ status }: Node, resource: string): boolean {
  return (amountAt(status?.allocatable ?? status?.capacity, resource)?.nanos ?? 0n) > 0n;
}

function isUsableOn({ status }: ResourceClaim, node: Node): boolean {
  const selector = status?.allocation?.nodeSelector;
  return !selector || (selector.nodeSelectorTerms ?? []).some((term) => matchesTerm(term, node));
}
