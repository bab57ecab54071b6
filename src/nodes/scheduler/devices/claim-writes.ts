import type { Client } from '../../../client/client.ts';
import { ignoreReasons } from '../../../client/error-of-response.ts';
import { type Node, type Pod, pods, type ResourceClaim } from '../../../controllers/resources.ts';
import type { ContainerExtendedResourceRequest } from '../../../gen/types/core-v1.ts';
import { hasBindingConditions, isReadyToBind } from './binding-conditions.ts';
import { allocationOf } from './claim-status.ts';
import type { DeviceLookup } from './device-lookup.ts';
import type { ChosenDevice } from './offered-device.ts';

/** The longest wait for drivers to prepare devices. */
const bindingTimeoutMs = 600_000;

/** The claims of a pod that is being bound to a node. */
export interface Reservation {
  readonly pod: Pod;
  readonly node: Node;
  readonly claims: readonly ResourceClaim[];
  /** The devices that are allocated to claims, by their UIDs. */
  readonly found: ReadonlyMap<string, readonly ChosenDevice[]>;
  /** The devices of containers in the claim for extended resources. */
  readonly mappings?: readonly ContainerExtendedResourceRequest[];
  /** Called with the allocated claim, and the UID under which its devices were chosen. */
  readonly onAllocated: (uid: string, claim: ResourceClaim) => void;
}

interface WriteOptions {
  readonly lookup: DeviceLookup;
  readonly client: Client;
  readonly signal: AbortSignal;
  /** The finalizer of allocated claims. */
  readonly finalizer: string;
}

/** Writes the claims of pods that are being bound. */
export class ClaimWrites {
  readonly #options: WriteOptions;

  constructor(options: WriteOptions) {
    this.#options = options;
  }

  get #claims() {
    return this.#options.client.resource(this.#options.lookup.reference());
  }

  /**
   * Writes the allocations and reservations of a pod; returns the changed claims. If it fails,
   * undoes what it has written.
   */
  async reserve(reservation: Reservation): Promise<readonly ResourceClaim[]> {
    const written: ResourceClaim[] = [];
    try {
      for (const claim of reservation.claims) {
        const change = await this.#write(claim, reservation);
        if (change) written.push(change);
      }
    } catch (error) {
      await this.release(reservation, written);
      throw error;
    }
    return written;
  }

  async #write(claim: ResourceClaim, reservation: Reservation): Promise<ResourceClaim | undefined> {
    const { pod, node, found, onAllocated } = reservation;
    const { signal, finalizer, lookup } = this.#options;
    if (isUser(claim, pod)) return undefined;
    const chosen = found.get(claim.metadata.uid);
    const isMade = !claim.metadata.name;
    let current = isMade ? await this.#create(claim, pod, finalizer) : claim;
    if (chosen && !current.metadata.finalizers?.includes(finalizer)) {
      const finalizers = [...(claim.metadata.finalizers ?? []), finalizer];
      current = await this.#claims.update({ ...claim, metadata: { ...claim.metadata, finalizers } }, { signal });
    }
    const { name, uid } = pod.metadata;
    const allocation = chosen && allocationOf(current, chosen, node.metadata.name, (one) => lookup.classOf(one));
    const status = {
      ...current.status,
      ...(allocation ? { allocation } : {}),
      reservedFor: [...(current.status?.reservedFor ?? []), { resource: 'pods', name, uid }],
    };
    try {
      const updated = await this.#claims.update({ ...current, status }, { subresource: 'status', signal });
      if (chosen) onAllocated(claim.metadata.uid, updated);
      if (isMade) await this.#report(reservation, updated);
      return updated;
    } catch (error) {
      if (isMade) await this.remove(current);
      throw error;
    }
  }

  async #create(claim: ResourceClaim, pod: Pod, finalizer: string): Promise<ResourceClaim> {
    const { uid: _own, ...metadata } = claim.metadata;
    const made = { ...claim, metadata: { ...metadata, finalizers: [finalizer] } };
    const { namespace } = pod.metadata;
    // The server completes the metadata.
    const options = { ...(namespace === undefined ? {} : { namespace }), signal: this.#options.signal };
    return this.#claims.create(made as ResourceClaim, options);
  }

  /** Writes the claim of the extended resources into the pod's status. */
  async #report({ pod, mappings = [] }: Reservation, { metadata }: ResourceClaim): Promise<void> {
    const { name, namespace, uid } = pod.metadata;
    const status = { extendedResourceClaimStatus: { requestMappings: mappings, resourceClaimName: metadata.name } };
    const target = { type: 'merge' as const, subresource: 'status', namespace, signal: this.#options.signal };
    const { client } = this.#options;
    const written = await client.resource(pods).patch(name, { metadata: { uid }, status }, target);
    if (!written.status?.extendedResourceClaimStatus) {
      throw new Error(`devices of pod ${name}: the server knows no devices for extended resources`);
    }
  }

  /** Deletes a claim for extended resources. */
  async remove(claim: ResourceClaim): Promise<void> {
    const { signal, finalizer } = this.#options;
    const { name, namespace = '', uid, finalizers = [] } = claim.metadata;
    const kept = finalizers.filter((one) => one !== finalizer);
    const change = { metadata: { uid, finalizers: kept } };
    await ignoreReasons(this.#claims.patch(name, change, { type: 'merge', namespace, signal }), 'NotFound', 'Conflict');
    const deletion = this.#claims.delete(name, { namespace, preconditions: { uid }, signal });
    await ignoreReasons(deletion, 'NotFound', 'Conflict');
  }

  /** Removes reservations, and the allocations that were made for them. */
  async release({ pod, found, claims }: Reservation, written: readonly ResourceClaim[]): Promise<void> {
    const known = new Set(claims.map(({ metadata }) => metadata.uid));
    for (const claim of written) {
      if (!known.has(claim.metadata.uid)) {
        await this.remove(claim);
        continue;
      }
      // Drivers may have reported devices meanwhile.
      const latest = this.#latest(claim);
      const reservedFor = (latest.status?.reservedFor ?? []).filter(({ uid }) => uid !== pod.metadata.uid);
      const isOwn = reservedFor.length === 0 && found.has(claim.metadata.uid);
      const status = isOwn ? {} : { ...latest.status, reservedFor };
      const update = this.#claims.update(
        { ...latest, status },
        { subresource: 'status', signal: this.#options.signal },
      );
      // A claim that was changed meanwhile is freed by its controller.
      await ignoreReasons(update, 'Conflict', 'NotFound');
    }
  }

  /** True if drivers must prepare devices before the pod can be bound. */
  isBoundLater(written: readonly ResourceClaim[]): boolean {
    return written.some(hasBindingConditions);
  }

  /** Resolves when drivers have prepared the devices. Throws if they fail or take too long. */
  async untilReady(written: readonly ResourceClaim[]): Promise<void> {
    const { lookup, signal } = this.#options;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(bindingTimeoutMs)]);
    for (const claim of written) {
      while (!isReadyToBind(this.#latest(claim))) {
        if (limit.aborted) throw new Error(`device binding timeout: claim=${claim.metadata.name}`);
        await lookup.nextChange(limit);
      }
    }
  }

  /** The newest known state of a written claim. */
  #latest(claim: ResourceClaim): ResourceClaim {
    const { name, namespace, uid, resourceVersion } = claim.metadata;
    const seen = this.#options.lookup.claim(name, namespace);
    if (seen?.metadata.uid !== uid) return claim;
    return BigInt(seen.metadata.resourceVersion) >= BigInt(resourceVersion) ? seen : claim;
  }
}

/** True if a claim is reserved for a pod. */
export function isUser({ status }: ResourceClaim, { metadata }: Pod): boolean {
  return (status?.reservedFor ?? []).some(({ uid }) => uid === metadata.uid);
}
