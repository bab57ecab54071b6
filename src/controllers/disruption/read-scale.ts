import type { OwnerReference } from '../../client/api-object.ts';
import type { Client } from '../../client/client.ts';
import type { ResourceMapper } from '../../client/resource-mapper.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import { hasReason } from '../../client/error-of-response.ts';

/** The scale of the controller of a Pod. */
export interface ControllerScale {
  readonly uid: string;
  readonly replicas: number;
}

/** The expected number of Pods cannot be known until an object changes. */
export class UnknownScaleError extends Error {}

/** An object as far as its scale and its controller are read. */
interface Scaled {
  readonly metadata?: { readonly uid?: string; readonly ownerReferences?: readonly OwnerReference[] };
  readonly spec?: { readonly replicas?: number };
}

/**
 * Returns a function that reads the scale of the controller that an owner reference names, or of
 * the one that controls it: the scale of a Deployment for its ReplicaSets. Undefined if there is
 * none; throws UnknownScaleError for a kind that is not served. Each controller is read once.
 */
export function scaleReader(
  client: Client,
  mapper: ResourceMapper,
  at: { readonly namespace: string; readonly signal: AbortSignal },
): (owner: OwnerReference) => Promise<ControllerScale | undefined> {
  const read = new Map<string, Promise<ControllerScale | undefined>>();

  async function resourceOf({ apiVersion, kind }: OwnerReference): Promise<ResourceReference> {
    try {
      return await mapper.resourceOf(apiVersion, kind, at.signal);
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error;
      throw new UnknownScaleError(error.message, { cause: error });
    }
  }

  async function scaleOf(owner: OwnerReference): Promise<ControllerScale | undefined> {
    const resource = await resourceOf(owner);
    try {
      const objects = client.resource(resource);
      const found: Scaled = await objects.get(owner.name, at);
      if (found.metadata?.uid !== owner.uid) return undefined;
      const parent = found.metadata.ownerReferences?.find(({ controller }) => controller);
      if (parent && owner.kind === 'ReplicaSet') return scaleOnce(parent);
      const scale: Scaled = await objects.get(owner.name, { ...at, subresource: 'scale' });
      return { uid: owner.uid, replicas: scale.spec?.replicas ?? 0 };
    } catch (error) {
      if (hasReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  function scaleOnce(owner: OwnerReference): Promise<ControllerScale | undefined> {
    const known = read.get(owner.uid) ?? scaleOf(owner);
    read.set(owner.uid, known);
    return known;
  }

  return scaleOnce;
}
