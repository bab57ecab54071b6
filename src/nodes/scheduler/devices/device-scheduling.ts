import type { Client } from '../../../client/client.ts';
import { ignoreReasons } from '../../../client/status-error.ts';
import type { Node, Pod, ResourceClaim } from '../../../controllers/resources.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { matchesTerm } from '../../../kinds/core/node-selector.ts';
import { podClaimsOf } from '../../../kinds/core/pod-claims.ts';
import { claimFinalizer } from '../../../kinds/resource/claim.ts';
import { allocate, requestOf } from './allocate.ts';
import { allocationOf } from './claim-status.ts';
import type { DeviceLookup } from './device-lookup.ts';
import { type ChosenDevice, offerTo } from './device-pools.ts';

/** Devices that were chosen for a claim, and the version of the claim that shows them. */
interface Assumption {
  readonly chosen: readonly ChosenDevice[];
  /** Undefined while the claim is being written. */
  version?: bigint;
}

/** How many pods can use a claim at once. */
const mostUsers = 256;

/** The claims of devices of pods, for a scheduler. */
export class DeviceScheduling {
  readonly #lookup: DeviceLookup;
  readonly #client: Client;
  readonly #identifiers: Identifiers;
  readonly #signal: AbortSignal;
  /** By the uid of the claim, until the informer has its version. */
  readonly #assumed = new Map<string, Assumption>();

  constructor(
    lookup: DeviceLookup,
    { client, identifiers, signal }: { client: Client; identifiers: Identifiers; signal: AbortSignal },
  ) {
    this.#lookup = lookup;
    this.#client = client;
    this.#identifiers = identifiers;
    this.#signal = signal;
  }

  /** True when the claims of a pod can be judged. The first call with one starts the lists. */
  isReady(pod: Pod): boolean {
    return (pod.spec.resourceClaims ?? []).length === 0 || this.#lookup.isReady();
  }

  /** Why a pod fits on no node, whichever there are; undefined if its claims allow one. */
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
    return undefined;
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

  /** Returns the check of the nodes for the claims of a pod: the reason against a node. */
  check(pod: Pod): (node: Node) => string | undefined {
    const claims = this.#claimsOf(pod);
    if (claims.length === 0) return () => undefined;
    return (node) => {
      const found = this.#plan(claims, node);
      return 'problem' in found ? found.problem : undefined;
    };
  }

  #claimsOf({ metadata, ...pod }: Pod): readonly ResourceClaim[] {
    return podClaimsOf(pod).flatMap(({ claim }) =>
      claim === undefined ? [] : (this.#lookup.claim(claim, metadata.namespace) ?? []),
    );
  }

  #plan(claims: readonly ResourceClaim[], node: Node): ReturnType<typeof allocate> {
    const placed = claims.filter(({ status }) => status?.allocation);
    if (!placed.every((claim) => isUsableOn(claim, node))) {
      return { problem: 'resourceclaim not available on the node' };
    }
    const waiting = claims.filter(({ status }) => !status?.allocation);
    this.#forgetShown();
    // Another pod chose devices for it, which the claim has not shown yet.
    if (waiting.some(({ metadata }) => this.#assumed.has(metadata.uid))) {
      return { problem: 'resourceclaim is being allocated' };
    }
    return allocate(waiting, {
      ...offerTo(node, this.#lookup.slices(), this.#lookup.rules()),
      inUse: this.#devicesInUse(),
      classOf: (name) => this.#lookup.classOf(name),
    });
  }

  /** Forgets the choices that the informer has, or whose claim is gone. */
  #forgetShown(): void {
    if (this.#assumed.size === 0) return;
    const versions = new Map(
      this.#lookup.claims().map(({ metadata }) => [metadata.uid, BigInt(metadata.resourceVersion)]),
    );
    for (const [uid, { version }] of this.#assumed) {
      if (version !== undefined && (versions.get(uid) ?? version) >= version) this.#assumed.delete(uid);
    }
  }

  #devicesInUse(): ReadonlySet<string> {
    const used = new Set<string>();
    for (const { status } of this.#lookup.claims()) {
      for (const { driver = '', pool = '', device = '', adminAccess } of status?.allocation?.devices?.results ?? []) {
        if (!adminAccess) used.add(`${driver}/${pool}/${device}`);
      }
    }
    for (const { chosen } of this.#assumed.values()) {
      for (const { device, needs } of chosen) {
        if (!needs.adminAccess) used.add(`${device.driver}/${device.pool}/${device.name}`);
      }
    }
    return used;
  }

  /**
   * Allocates the claims of a pod on its node and reserves them. Returns a function that takes the
   * reservation back. Throws if a claim was changed meanwhile.
   */
  async reserve(pod: Pod, node: Node): Promise<() => Promise<void>> {
    const claims = this.#claimsOf(pod);
    const found = claims.length === 0 ? new Map<string, never>() : this.#plan(claims, node);
    if ('problem' in found) throw new Error(`devices of pod ${pod.metadata.name}: ${found.problem}`);
    for (const [uid, chosen] of found) this.#assumed.set(uid, { chosen });
    const written: ResourceClaim[] = [];
    const undo = (): Promise<void> => this.#release(pod, written, found);
    try {
      for (const claim of claims) {
        const change = await this.#write(claim, pod, node, found.get(claim.metadata.uid));
        if (change) written.push(change);
      }
    } catch (error) {
      await undo();
      throw error;
    }
    return undo;
  }

  async #write(
    claim: ResourceClaim,
    pod: Pod,
    node: Node,
    chosen: readonly ChosenDevice[] | undefined,
  ): Promise<ResourceClaim | undefined> {
    if (isUser(claim, pod)) return undefined;
    const resource = this.#client.resource(this.#lookup.reference());
    const finalizer = claimFinalizer(this.#identifiers);
    let current = claim;
    if (chosen && !claim.metadata.finalizers?.includes(finalizer)) {
      const finalizers = [...(claim.metadata.finalizers ?? []), finalizer];
      current = await resource.update(
        { ...claim, metadata: { ...claim.metadata, finalizers } },
        { signal: this.#signal },
      );
    }
    const { name, uid } = pod.metadata;
    const status = {
      ...current.status,
      ...(chosen
        ? { allocation: allocationOf(current, chosen, node.metadata.name, (one) => this.#lookup.classOf(one)) }
        : {}),
      reservedFor: [...(current.status?.reservedFor ?? []), { resource: 'pods', name, uid }],
    };
    const updated = await resource.update({ ...current, status }, { subresource: 'status', signal: this.#signal });
    const assumption = this.#assumed.get(claim.metadata.uid);
    if (assumption && chosen) assumption.version = BigInt(updated.metadata.resourceVersion);
    return updated;
  }

  /** Takes reservations back, and allocations that were made for them. */
  async #release(
    pod: Pod,
    written: readonly ResourceClaim[],
    found: ReadonlyMap<string, readonly ChosenDevice[]>,
  ): Promise<void> {
    for (const uid of found.keys()) this.#assumed.delete(uid);
    for (const claim of written) {
      const { allocation, reservedFor = [], ...rest } = claim.status ?? {};
      const kept = reservedFor.filter(({ uid }) => uid !== pod.metadata.uid);
      const isOwn = kept.length === 0 && found.has(claim.metadata.uid);
      const status = isOwn ? rest : { ...rest, ...(allocation ? { allocation } : {}), reservedFor: kept };
      const resource = this.#client.resource(this.#lookup.reference());
      // A claim that others changed is freed by its controller.
      await ignoreReasons(
        resource.update({ ...claim, status }, { subresource: 'status', signal: this.#signal }),
        'Conflict',
        'NotFound',
      );
    }
  }
}

function isUser({ status }: ResourceClaim, { metadata }: Pod): boolean {
  return (status?.reservedFor ?? []).some(({ uid }) => uid === metadata.uid);
}

function isUsableOn({ status }: ResourceClaim, node: Node): boolean {
  const selector = status?.allocation?.nodeSelector;
  return !selector || (selector.nodeSelectorTerms ?? []).some((term) => matchesTerm(term, node));
}
