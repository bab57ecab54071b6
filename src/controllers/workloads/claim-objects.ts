import type { StoredMetadata } from '../resources.ts';
import type { ApiObject } from '../../client/api-object.ts';
import type { Informer } from '../../client/informers/informer.ts';
import type { ResourceClient } from '../../client/resource-client.ts';
import { hasReason } from '../../client/status-error.ts';
import { type ControllingObject, controllerReference } from './controller-reference.ts';
import { controlledBy, orphansIn } from './owned-objects.ts';

/** An object that controllers adopt and release. */
interface Claimable extends ApiObject {
  metadata: StoredMetadata;
}

/** The owner, and the resource of its objects. */
interface ObjectSelection<T extends Claimable> {
  readonly owner: ControllingObject;
  /** True for the objects that the owner may control. */
  readonly matches: (object: T) => boolean;
  /** With the index of `indexByController`. */
  readonly informer: Informer<T>;
  readonly resource: ResourceClient<T>;
  /** Reads the owner from the server. */
  readonly readOwner: () => Promise<ApiObject>;
  readonly signal: AbortSignal;
}

/**
 * Returns the objects that an owner controls. Adopts orphans that its selector matches, and
 * releases objects that it no longer matches.
 */
export async function claimObjects<T extends Claimable>(selection: ObjectSelection<T>): Promise<T[]> {
  const { owner, matches, informer } = selection;
  const owned = controlledBy(informer, owner.metadata.uid);
  const kept = owned.filter(matches);
  // A released object would be orphaned by the deletion of its owner, not deleted.
  if (owner.metadata.deletionTimestamp) return kept;
  if (kept.length < owned.length) {
    await Promise.all(owned.filter((object) => !kept.includes(object)).map((object) => release(object, selection)));
  }
  const orphans = orphansIn(informer, owner.metadata.namespace ?? '').filter(
    (object) => !object.metadata.deletionTimestamp && matches(object),
  );
  if (orphans.length === 0) return kept;
  const present = await selection.readOwner();
  if (present.metadata?.uid !== owner.metadata.uid || present.metadata.deletionTimestamp) return kept;
  const adopted = await Promise.all(orphans.map((object) => adopt(object, selection)));
  return [...kept, ...adopted.filter((object) => object !== undefined)];
}

async function adopt<T extends Claimable>(object: T, { owner, ...rest }: ObjectSelection<T>): Promise<T | undefined> {
  try {
    const adopted = await changeOwner(object, controllerReference(owner), rest);
    await rest.informer.waitFor(adopted.metadata.resourceVersion, rest.signal);
    return adopted;
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

async function release<T extends Claimable>(object: T, { owner, ...rest }: ObjectSelection<T>): Promise<void> {
  try {
    await changeOwner(object, { $patch: 'delete', uid: owner.metadata.uid }, rest);
  } catch (error) {
    // It is gone, or another one has its name.
    if (!hasReason(error, 'NotFound', 'Invalid', 'Conflict')) throw error;
  }
}

function changeOwner<T extends Claimable>(
  { metadata }: T,
  reference: object,
  { resource, signal }: Pick<ObjectSelection<T>, 'resource' | 'signal'>,
): Promise<T> {
  const { name, namespace, uid } = metadata;
  const patch = { metadata: { uid, ownerReferences: [reference] } };
  return resource.patch(name, patch, { type: 'strategic', namespace, signal });
}
