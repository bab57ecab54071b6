import type { OwnedObject } from './read-owners.ts';

/** An object, or an owner that is gone, at its place in the tree. */
export interface TreePlace {
  readonly lines: string;
  readonly label: string;
  readonly object: OwnedObject | undefined;
  /** The state of a line that is no object; by default the owner is gone. */
  readonly note?: string;
}

/** Objects that own each other in a longer row are hardly meant. */
const deepest = 50;

/**
 * The object below its topmost owners, with all its dependents below it, as lines of a tree.
 * Objects that own each other are shown from the requested one on.
 */
export function placesOf(uid: string, all: readonly OwnedObject[]): TreePlace[] {
  const byUid = new Map(all.map((each) => [each.uid, each]));
  const dependents = dependentsOf(all);
  const above = ancestorsOf(uid, byUid);
  const isRoot = (each: string): boolean => !byUid.get(each)?.owners.some((owner) => above.has(owner.uid));
  const below = (of: string): readonly string[] =>
    above.has(of) && of !== uid
      ? [...above].filter((each) => byUid.get(each)?.owners.some((owner) => owner.uid === of))
      : (dependents.get(of) ?? []);
  const labels = new Map(
    all.flatMap(({ owners }) => owners).map((owner) => [owner.uid, `${owner.kind}/${owner.name}`]),
  );
  const walk = { below, byUid, labels };
  const places = [...above].filter(isRoot).flatMap((root) => placesBelow(root, { ...walk, seen: new Set() }, ''));
  const isShown = places.some(({ object }) => object?.uid === uid);
  return isShown ? places : [...places, ...placesBelow(uid, { ...walk, seen: new Set() }, '')];
}

function dependentsOf(all: readonly OwnedObject[]): ReadonlyMap<string, readonly string[]> {
  const dependents = new Map<string, string[]>();
  for (const { uid, owners } of all) {
    for (const owner of owners) {
      const found = dependents.get(owner.uid);
      if (found) found.push(uid);
      else dependents.set(owner.uid, [uid]);
    }
  }
  return dependents;
}

interface Walk {
  readonly below: (uid: string) => readonly string[];
  readonly byUid: ReadonlyMap<string, OwnedObject>;
  /** The names of owners that are gone. */
  readonly labels: ReadonlyMap<string, string>;
  /** Objects of several owners are followed once, so that cycles end. */
  readonly seen: Set<string>;
}

/** The object and all its owners, owners of owners included. */
function ancestorsOf(uid: string, byUid: ReadonlyMap<string, OwnedObject>): ReadonlySet<string> {
  const found = new Set([uid]);
  for (const each of found) for (const owner of byUid.get(each)?.owners ?? []) found.add(owner.uid);
  return found;
}

function placesBelow(uid: string, walk: Walk, lines: string, depth = 0): TreePlace[] {
  const object = walk.byUid.get(uid);
  const label = object ? `${object.resource.kind}/${object.name}` : (walk.labels.get(uid) ?? uid);
  const isSeen = walk.seen.has(uid);
  walk.seen.add(uid);
  const children = isSeen ? [] : sorted(walk, walk.below(uid));
  const indent = lines.replace('├─', '│ ').replace('└─', '  ');
  const place = { lines, label, object };
  if (depth === deepest && children.length > 0) {
    return [
      place,
      { lines: `${indent}└─`, label: '...', object: undefined, note: `${children.length} and more below` },
    ];
  }
  return [
    place,
    ...children.flatMap((child, index) =>
      placesBelow(child, walk, `${indent}${index === children.length - 1 ? '└─' : '├─'}`, depth + 1),
    ),
  ];
}

function sorted({ byUid }: Walk, uids: readonly string[]): readonly string[] {
  const key = (uid: string) => `${byUid.get(uid)?.resource.kind ?? ''}/${byUid.get(uid)?.name ?? ''}`;
  const keys = new Map(uids.map((uid) => [uid, key(uid)]));
  return [...new Set(uids)].toSorted((one, other) => ((keys.get(one) ?? '') < (keys.get(other) ?? '') ? -1 : 1));
}
