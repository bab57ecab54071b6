import { compareElements, type PathElement } from './path-element.ts';

/**
 * A set of paths, as a tree. Each entry says if the path that ends there is a member, and contains
 * the members below it. Sets are immutable once built; operations share unchanged parts.
 */
export interface FieldSet {
  readonly entries: ReadonlyMap<PathElement, FieldEntry>;
}

/** One path element of a set. An entry that is not a member has members below it. */
export interface FieldEntry {
  readonly member: boolean;
  readonly below: FieldSet;
}

/** The empty set. */
export const noFields: FieldSet = Object.freeze({ entries: new Map<PathElement, FieldEntry>() });

/** True for the empty set. */
export function isEmptySet(set: FieldSet): boolean {
  return set.entries.size === 0;
}

/** Builds the set of the given paths. */
export function fieldSetOf(paths: Iterable<readonly PathElement[]>): FieldSet {
  const builder = new FieldSetBuilder();
  for (const path of paths) builder.insert(path);
  return builder.build();
}

/** True if the path is a member. */
export function hasPath(set: FieldSet, path: readonly PathElement[]): boolean {
  let level = set;
  for (const [index, element] of path.entries()) {
    const entry = level.entries.get(element);
    if (!entry) return false;
    if (index === path.length - 1) return entry.member;
    level = entry.below;
  }
  return false;
}

/** Returns the union; `a` itself if it contains all members of `b`. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a;
  if (isEmptySet(a)) return b;
  let entries: Map<PathElement, FieldEntry> | undefined;
  for (const [element, theirs] of b.entries) {
    const ours = a.entries.get(element);
    const both = ours ? unionOf(ours, theirs) : theirs;
    if (both === ours) continue;
    entries ??= new Map(a.entries);
    entries.set(element, both);
  }
  return entries ? { entries } : a;
}

function unionOf(ours: FieldEntry, theirs: FieldEntry): FieldEntry {
  const below = union(ours.below, theirs.below);
  const member = ours.member || theirs.member;
  return below === ours.below && member === ours.member ? ours : { member, below };
}

/** Returns the members that are in both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const entries = new Map<PathElement, FieldEntry>();
  const [few, many] = a.entries.size < b.entries.size ? [a, b] : [b, a];
  for (const [element, one] of few.entries) {
    const other = many.entries.get(element);
    if (other) put(entries, element, one.member && other.member, intersection(one.below, other.below));
  }
  return fromEntries(entries);
}

/**
 * Returns the members of `changed` below which `owned` has members: values that were replaced with
 * owned parts in them.
 */
export function replacedAbove(owned: FieldSet, changed: FieldSet): FieldSet {
  const entries = new Map<PathElement, FieldEntry>();
  for (const [element, change] of changed.entries) {
    const ours = owned.entries.get(element);
    if (ours && !isEmptySet(ours.below)) put(entries, element, change.member, replacedAbove(ours.below, change.below));
  }
  return fromEntries(entries);
}

/** Returns the members of `a` that are not in `b`; `a` itself if none is removed. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, (ours, theirs) => ({
    member: ours.member && !theirs.member,
    below: difference(ours.below, theirs.below),
  }));
}

/**
 * Returns the members of `a` that are neither in `b` nor below a member of `b`; `a` itself if none
 * is removed.
 */
export function differenceWithBelow(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, (ours, theirs) =>
    theirs.member ? nothing : { member: ours.member, below: differenceWithBelow(ours.below, theirs.below) },
  );
}

const nothing: FieldEntry = Object.freeze({ member: false, below: noFields });

/** Returns `a`, with each entry that is also in `b` replaced by the result of `keep`. */
function without(a: FieldSet, b: FieldSet, keep: (ours: FieldEntry, theirs: FieldEntry) => FieldEntry): FieldSet {
  if (isEmptySet(a)) return a;
  let entries: Map<PathElement, FieldEntry> | undefined;
  for (const [element, theirs] of b.entries) {
    const ours = a.entries.get(element);
    if (!ours) continue;
    const { member, below } = keep(ours, theirs);
    if (member === ours.member && below === ours.below) continue;
    entries ??= new Map(a.entries);
    entries.delete(element);
    put(entries, element, member, below);
  }
  return entries ? fromEntries(entries) : a;
}

/** True if two sets have the same members. */
export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  if (a.entries.size !== b.entries.size) return false;
  for (const [element, ours] of a.entries) {
    const theirs = b.entries.get(element);
    if (!theirs || theirs.member !== ours.member || !equalSets(ours.below, theirs.below)) return false;
  }
  return true;
}

/**
 * Iterates over all members in the order of messages: at each level first its members, then the
 * members below them, both sorted.
 */
export function* pathsInOrder(set: FieldSet, prefix: readonly PathElement[] = []): Generator<readonly PathElement[]> {
  const elements = [...set.entries.keys()].toSorted(compareElements);
  for (const element of elements) if (set.entries.get(element)?.member) yield [...prefix, element];
  for (const element of elements)
    yield* pathsInOrder(set.entries.get(element)?.below ?? noFields, [...prefix, element]);
}

function put(entries: Map<PathElement, FieldEntry>, element: PathElement, member: boolean, below: FieldSet): void {
  if (member || !isEmptySet(below)) entries.set(element, { member, below });
}

function fromEntries(entries: Map<PathElement, FieldEntry>): FieldSet {
  return entries.size === 0 ? noFields : { entries };
}

/**
 * The entry of a member with nothing below it. Shared, because a list of many items has one for
 * each.
 */
const leafEntry: FieldEntry = Object.freeze({ member: true, below: noFields });

/** An entry of a builder with paths below it. */
class OpenEntry {
  member: boolean;
  readonly below = new FieldSetBuilder();

  constructor(member: boolean) {
    this.member = member;
  }
}

/** Collects paths into a set. */
export class FieldSetBuilder {
  /** Created on the first path: most builders of a comparison stay empty. */
  #entries: Map<PathElement, FieldEntry | OpenEntry> | undefined;

  /** Adds the path of one element. */
  add(element: PathElement): void {
    const entry = this.#entries?.get(element);
    if (entry instanceof OpenEntry) entry.member = true;
    else this.#put(element, leafEntry);
  }

  /**
   * Returns the builder for the paths below an element. The element itself does not become a
   * member.
   */
  below(element: PathElement): FieldSetBuilder {
    const entry = this.#entries?.get(element);
    if (entry instanceof OpenEntry) return entry.below;
    return this.#put(element, new OpenEntry(entry !== undefined)).below;
  }

  /** Adds a path. The empty path is ignored. */
  insert(path: readonly PathElement[]): void {
    const [first, ...rest] = path;
    if (first === undefined) return;
    if (rest.length === 0) this.add(first);
    else this.below(first).insert(rest);
  }

  /** Returns the set. Nothing may be added afterwards. Levels without members are omitted. */
  build(): FieldSet {
    if (!this.#entries) return noFields;
    let last: FieldEntry = leafEntry;
    for (const [element, entry] of this.#entries) {
      if (!(entry instanceof OpenEntry)) continue;
      const below = entry.below.build();
      // List items are mostly created alike; equal neighbours share one entry.
      if (entry.member !== last.member || !equalSets(last.below, below)) last = { member: entry.member, below };
      if (last.member || !isEmptySet(last.below)) this.#entries.set(element, last);
      else this.#entries.delete(element);
    }
    // All open entries have been replaced.
    return fromEntries(this.#entries as Map<PathElement, FieldEntry>);
  }

  #put<Entry extends FieldEntry | OpenEntry>(element: PathElement, entry: Entry): Entry {
    this.#entries ??= new Map();
    this.#entries.set(element, entry);
    return entry;
  }
}

/** Fields that only the server sets. No manager owns them. */
export const unownedFields: FieldSet = fieldSetOf([
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'uid',
    'resourceVersion',
    'generation',
    'creationTimestamp',
    'selfLink',
    'clusterName',
    'managedFields',
  ].map((name) => ['f:metadata', `f:${name}`]),
]);
