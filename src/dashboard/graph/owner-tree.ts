import type { OwnedObject } from '../../cli/commands/inspect/tree/read-owners.ts';
import { appendTo, groupBy } from '../../meta/group-by.ts';

/** An object of a graph of owners, an owner that is gone, or a number of objects left out. */
export interface OwnerNode {
  readonly key: string;
  readonly kind: string;
  readonly name: string;
  /** The object; undefined for a deleted owner, and for a node that stands for several objects. */
  readonly object: OwnedObject | undefined;
  /** The nodes below it; a node of several owners is below the first only. */
  readonly children: readonly OwnerNode[];
  /** The other owners of the object in the graph. */
  readonly otherOwners: readonly string[];
}

/** Dependents of one kind that an object is drawn with. */
const mostOfKind = 8;

/** Nodes of a graph. Objects beyond are counted. */
const mostNodes = 150;

/**
 * The topmost owners of an object as trees: its owners and their owners, and below the object all
 * its dependents. Other dependents of its owners are left out.
 */
export function ownerTrees(uid: string, all: readonly OwnedObject[]): readonly OwnerNode[] {
  const byUid = new Map(all.map((each) => [each.uid, each]));
  const above = ownersAbove(uid, byUid);
  const names = new Map([...above].flatMap((each) => byUid.get(each)?.owners ?? []).map((owner) => [owner.uid, owner]));
  const dependents = new Map<string, OwnedObject[]>();
  for (const each of all) for (const owner of each.owners) appendTo(dependents, owner.uid, each);
  const isOwned = (each: string): boolean => byUid.get(each)?.owners.some((owner) => above.has(owner.uid)) ?? false;
  const roots = [...above].filter((each) => !isOwned(each));
  const walk: OwnerWalk = { uid, above, byUid, names, dependents, seen: new Set() };
  // Objects that own each other have no topmost one.
  return (roots.length > 0 ? roots : [uid]).flatMap((root) => nodeOf(root, '', walk));
}

/** The object, its owners, and theirs. */
function ownersAbove(uid: string, byUid: ReadonlyMap<string, OwnedObject>): ReadonlySet<string> {
  const found = new Set([uid]);
  for (const each of found) {
    for (const owner of byUid.get(each)?.owners ?? []) if (found.size < mostNodes) found.add(owner.uid);
  }
  return found;
}

interface OwnerWalk {
  readonly uid: string;
  readonly above: ReadonlySet<string>;
  readonly byUid: ReadonlyMap<string, OwnedObject>;
  readonly names: ReadonlyMap<string, { readonly kind: string; readonly name: string }>;
  readonly dependents: ReadonlyMap<string, readonly OwnedObject[]>;
  /** Nodes that are in the graph already. */
  readonly seen: Set<string>;
}

function nodeOf(key: string, parent: string, walk: OwnerWalk): OwnerNode[] {
  if (walk.seen.has(key)) return [];
  walk.seen.add(key);
  const object = walk.byUid.get(key);
  const { kind = '', name = key } = object
    ? { kind: object.resource.kind, name: object.name }
    : (walk.names.get(key) ?? {});
  const owners = object?.owners.map((owner) => owner.uid) ?? [];
  return [
    {
      key,
      kind,
      name,
      object,
      children: childrenOf(key, walk),
      otherOwners: owners.filter((owner) => owner !== parent && walk.above.has(owner) && owner !== key),
    },
  ];
}

function childrenOf(key: string, walk: OwnerWalk): readonly OwnerNode[] {
  const { uid, above, dependents } = walk;
  const below = dependents.get(key) ?? [];
  // Above the object only the way to it is shown.
  const shown = above.has(key) && key !== uid ? below.filter((each) => above.has(each.uid)) : below;
  const byKind = groupBy(shown.toSorted(byName), (each) => each.resource.kind);
  return [...byKind].flatMap(([kind, members]) => {
    const room = walk.seen.size < mostNodes ? mostOfKind : 0;
    // One more node would take the room of the one that it counts.
    const drawn = room > 0 && members.length === room + 1 ? members : members.slice(0, room);
    const rest = members.length - drawn.length;
    const nodes = drawn.flatMap((each) => nodeOf(each.uid, key, walk));
    return rest === 0 ? nodes : [...nodes, countNode(`${key}/${kind}`, `${rest} more`, kind)];
  });
}

function countNode(key: string, name: string, kind: string): OwnerNode {
  return { key, kind, name, object: undefined, children: [], otherOwners: [] };
}

function byName(one: OwnedObject, other: OwnedObject): number {
  const [first, second] = [one, other].map(({ resource, name }) => `${resource.kind}/${name}`);
  return (first ?? '') < (second ?? '') ? -1 : 1;
}
