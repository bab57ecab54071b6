import type { OwnerReference, PartialObjectMetadata } from '../../client/api-object.ts';
import { type ClassifiedOwners, classifyOwners, type OwnerLookup } from './classify-owners.ts';
import { foregroundFinalizer, type GraphNode, orphanFinalizer } from './graph-node.ts';

/** How the dependents of a deleted object are treated. */
type Propagation = 'Orphan' | 'Foreground' | 'Background';

/** The calls of `reconcile`. */
export interface CollectorCalls extends OwnerLookup {
  dependentsOf(uid: string): readonly GraphNode[];
  blockingDependentsOf(uid: string): readonly GraphNode[];
  enqueue(uid: string): void;
  /** The present state; undefined if the object of the node is gone. */
  get(node: GraphNode): Promise<PartialObjectMetadata | undefined>;
  /** Deletes the object in the state of the node. */
  delete(node: GraphNode, propagation: Propagation): Promise<unknown>;
  /** Changes the metadata of the object, unless it has changed since it was read. */
  patch(node: GraphNode, read: PartialObjectMetadata, metadata: MetadataChange): Promise<unknown>;
}

/** The new values of parts of the metadata. */
interface MetadataChange {
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

/**
 * Deletes an object whose owners are all gone, removes references to owners that are gone, and
 * continues deletions that wait for dependents.
 */
export async function reconcile(node: GraphNode, calls: CollectorCalls): Promise<void> {
  if (node.orphansDependents) return orphanDependents(node, calls);
  if (node.deletesDependents) return continueForeground(node, calls);
  if (node.isDeleted || node.owners.length === 0) return;
  const owners = await classifyOwners(node, calls);
  const { solid, dangling, waiting } = owners;
  if (solid.length === 0) await collect(node, owners, calls);
  else if (dangling.length + waiting.length > 0) await keepOwners(node, solid, calls);
}

async function orphanDependents(node: GraphNode, calls: CollectorCalls): Promise<void> {
  for (const dependent of calls.dependentsOf(node.uid)) {
    const others = dependent.owners.filter(({ uid }) => uid !== node.uid);
    await keepOwners(dependent, others, calls);
  }
  await removeFinalizer(node, orphanFinalizer, calls);
}

async function continueForeground(node: GraphNode, calls: CollectorCalls): Promise<void> {
  const blocking = calls.blockingDependentsOf(node.uid);
  if (blocking.length === 0) return removeFinalizer(node, foregroundFinalizer, calls);
  for (const { uid, deletesDependents } of blocking) if (!deletesDependents) calls.enqueue(uid);
}

async function collect(node: GraphNode, { waiting }: ClassifiedOwners, calls: CollectorCalls): Promise<void> {
  const dependents = calls.dependentsOf(node.uid);
  if (waiting.length === 0 || dependents.length === 0) {
    await calls.delete(node, 'Background');
    return;
  }
  // A cycle would wait for itself. Some objects that are in no cycle are unblocked too.
  if (dependents.some(({ deletesDependents }) => deletesDependents)) await unblockOwners(node, calls);
  else await calls.delete(node, 'Foreground');
}

/** The change of the object leads to another call, which deletes it. */
async function unblockOwners(node: GraphNode, calls: CollectorCalls): Promise<void> {
  const read = await calls.get(node);
  if (!read) return;
  const before = read.metadata.ownerReferences ?? [];
  if (!before.some(({ blockOwnerDeletion }) => blockOwnerDeletion)) {
    await calls.delete(node, 'Foreground');
    return;
  }
  const ownerReferences = before.map((owner) => ({ ...owner, blockOwnerDeletion: false }));
  await calls.patch(node, read, { ownerReferences });
  calls.enqueue(node.uid);
}

async function keepOwners(node: GraphNode, kept: readonly OwnerReference[], calls: CollectorCalls): Promise<void> {
  const read = await calls.get(node);
  if (!read) return;
  const gone = new Set(node.owners.filter((owner) => !kept.includes(owner)).map(({ uid }) => uid));
  const before = read.metadata.ownerReferences ?? [];
  const ownerReferences = before.filter(({ uid }) => !gone.has(uid));
  if (ownerReferences.length < before.length) await calls.patch(node, read, { ownerReferences });
}

async function removeFinalizer(node: GraphNode, finalizer: string, calls: CollectorCalls): Promise<void> {
  const read = await calls.get(node);
  const before = read?.metadata.finalizers ?? [];
  if (!read || !before.includes(finalizer)) return;
  await calls.patch(node, read, { finalizers: before.filter((each) => each !== finalizer) });
}
