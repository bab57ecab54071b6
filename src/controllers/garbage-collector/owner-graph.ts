import type { OwnerReference } from '../../client/api-object.ts';
import type { GraphNode } from './graph-node.ts';

/** The callbacks of a graph. */
interface GraphEvents {
  /** The object may have to be deleted, or its deletion may go on. */
  readonly onWork: (uid: string) => void;
  /** An owner of the object is in another namespace. */
  readonly onOwnerInOtherNamespace: (node: GraphNode, reference: OwnerReference) => void;
}

/** All objects and their owners, by uid. */
export class OwnerGraph {
  readonly #nodes = new Map<string, GraphNode>();
  /** The uids of objects that name an owner, which need not be known. */
  readonly #dependents = new Map<string, Set<string>>();
  readonly #events: GraphEvents;

  constructor(events: GraphEvents) {
    this.#events = events;
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  /** The known objects that name this owner. */
  dependentsOf(uid: string): readonly GraphNode[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((each) => this.#nodes.get(each) ?? []);
  }

  /** The dependents for which the foreground deletion of an owner waits. */
  blockingDependentsOf(uid: string): readonly GraphNode[] {
    return this.dependentsOf(uid).filter(({ owners }) =>
      owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion),
    );
  }

  /** Adds or replaces an object. */
  put(node: GraphNode): void {
    const old = this.#nodes.get(node.uid);
    this.#nodes.set(node.uid, node);
    if (node.owners !== old?.owners) this.#relink(node, old);
    if (!old) this.#checkReferencesTo(node);
    const startsToDelete = node.deletesDependents && !old?.deletesDependents;
    if (startsToDelete) this.#workOnDependents(node.uid);
    if (startsToDelete || (node.orphansDependents && !old?.orphansDependents)) this.#events.onWork(node.uid);
  }

  /** Removes an object that is gone. */
  remove(uid: string): void {
    const node = this.#nodes.get(uid);
    if (!node) return;
    this.#nodes.delete(uid);
    this.#unlink(node);
    this.#workOnDependents(uid);
    this.#workOnWaitingOwners(node.owners);
  }

  #relink(node: GraphNode, old: GraphNode | undefined): void {
    if (old) this.#unlink(old);
    for (const owner of node.owners) {
      const dependents = this.#dependents.get(owner.uid) ?? new Set<string>();
      this.#dependents.set(owner.uid, dependents.add(node.uid));
      const known = this.#nodes.get(owner.uid);
      if (known && isInOtherNamespace(node, known)) this.#events.onOwnerInOtherNamespace(node, owner);
      if (!known || known.deletesDependents || !refersTo(node, owner, known)) this.#events.onWork(node.uid);
    }
    if (old) this.#workOnWaitingOwners(old.owners);
  }

  #unlink({ uid, owners }: GraphNode): void {
    for (const owner of owners) {
      const dependents = this.#dependents.get(owner.uid);
      dependents?.delete(uid);
      if (dependents?.size === 0) this.#dependents.delete(owner.uid);
    }
  }

  /** Objects may have referred to a new object before it was known. */
  #checkReferencesTo(owner: GraphNode): void {
    for (const dependent of this.dependentsOf(owner.uid)) {
      const reference = dependent.owners.find(({ uid }) => uid === owner.uid);
      if (!reference || refersTo(dependent, reference, owner)) continue;
      if (isInOtherNamespace(dependent, owner)) this.#events.onOwnerInOtherNamespace(dependent, reference);
      this.#events.onWork(dependent.uid);
    }
  }

  #workOnDependents(uid: string): void {
    for (const each of this.#dependents.get(uid) ?? []) this.#events.onWork(each);
  }

  #workOnWaitingOwners(owners: readonly OwnerReference[]): void {
    for (const { uid } of owners) {
      if (this.#nodes.get(uid)?.deletesDependents) this.#events.onWork(uid);
    }
  }
}

/** True if a reference of an object names an object that has its uid; false if it is wrong. */
export function refersTo(dependent: GraphNode, reference: OwnerReference, owner: GraphNode): boolean {
  const { kind, group } = owner.resource;
  const ownGroup = reference.apiVersion.includes('/') ? reference.apiVersion.split('/')[0] : '';
  return (
    !isInOtherNamespace(dependent, owner) &&
    reference.name === owner.name &&
    reference.kind === kind &&
    ownGroup === group
  );
}

/** True if the owner is in a namespace, and the dependent is not in the same one. */
function isInOtherNamespace(dependent: GraphNode, owner: GraphNode): boolean {
  return owner.namespace !== '' && owner.namespace !== dependent.namespace;
}
