import type { OwnerReference, PartialObjectMetadata } from '../../client/api-object.ts';
import { foregroundFinalizer, type GraphNode } from './graph-node.ts';
import { refersTo } from './owner-graph.ts';

/** The owners of an object, by their effect on it. */
export interface ClassifiedOwners {
  /** The owners that keep the object. */
  readonly solid: readonly OwnerReference[];
  /** The owners that do not exist. */
  readonly dangling: readonly OwnerReference[];
  /** The owners whose deletion waits for the deletion of the object. */
  readonly waiting: readonly OwnerReference[];
}

/** The knowledge about owners. */
export interface OwnerLookup {
  /** The object with a uid, if it has been observed. */
  known(uid: string): GraphNode | undefined;
  /**
   * Reads an owner from the server, in the namespace of the dependent; undefined if there is none
   * with this uid. Throws for an unknown kind, and for a kind that cannot own the dependent.
   */
  read(dependent: GraphNode, owner: OwnerReference): Promise<PartialObjectMetadata | undefined>;
}

type OwnerClass = keyof ClassifiedOwners;

/** Finds out which owners of an object exist. Throws if that cannot be found out. */
export async function classifyOwners(node: GraphNode, lookup: OwnerLookup): Promise<ClassifiedOwners> {
  const classes: Record<OwnerClass, OwnerReference[]> = { solid: [], dangling: [], waiting: [] };
  for (const owner of node.owners) classes[await classOf(node, owner, lookup)].push(owner);
  return classes;
}

async function classOf(node: GraphNode, owner: OwnerReference, lookup: OwnerLookup): Promise<OwnerClass> {
  const known = lookup.known(owner.uid);
  if (known && refersTo(node, owner, known)) return known.deletesDependents ? 'waiting' : 'solid';
  const found = await lookup.read(node, owner);
  if (!found) return 'dangling';
  const { deletionTimestamp, finalizers = [] } = found.metadata;
  if (deletionTimestamp !== undefined && finalizers.includes(foregroundFinalizer)) return 'waiting';
  // One that goes before it is observed would leave its dependents behind.
  if (!known) throw new UnobservedOwner(owner);
  return 'solid';
}

/** The owner exists, but no informer has seen it yet. */
export class UnobservedOwner extends Error {
  override readonly name = 'UnobservedOwner';

  constructor({ apiVersion, kind, name, uid }: OwnerReference) {
    super(`the owner [${apiVersion}/${kind}, name: ${name}, uid: ${uid}] has not been observed yet`);
  }
}
