import { compareElements, type PathElement } from './path-element.ts';

/**
 * A set of paths as a tree. Each entry says whether the path that ends there is a member, and which longer ones are.
 * Sets are immutable once built; the operations share what they do not change.
 */
export interface FieldSet {
  readonly entries: ReadonlyMap<PathElement, FieldEntry>;
}

/** One step of a set. An entry that is no member has members below. */
export interface FieldEntry {
  readonly member: boolean;
  readonly below: FieldSet;
}

/** The set without members. */
export const noFields: FieldSet = Object.freeze({ entries: new Map<PathElement, FieldEntry>() });

/** Whether a set has no members. */
export function isEmptySet(set: FieldSet): boolean {
  return set.entries.size === 0;
}

/** The set of the given paths. */
export function fieldSetOf(paths: Iterable<readonly PathElement[]>): FieldSet {
  const builder = new FieldSetBuilder();
  for (const path of paths) builder.insert(path);
  return builder.build();
}

/** Whether the path itself is a member. */
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

/** The members of either; `a` itself where it has them all. */
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

/** The members of `a` that are members of `b`. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const entries = new Map<PathElement, FieldEntry>();
  const [few, many] = a.entries.size < b.entries.size ? [a, b] : [b, a];
  for (const [element, one] of few.entries) {
    const other = many.entries.get(element);
    if (other) put(entries, element, one.member && other.member, intersection(one.below, other.below));
  }
  return fromEntries(entries);
}

/** The members of `a` that are not members of `b`; `a` itself where that is all of them. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, (ours, theirs) => ({
    member: ours.member && !theirs.member,
    below: difference(ours.below, theirs.below),
  }));
}

/** The members of `a` that are neither members of `b` nor below one; `a` itself where that is all of them. */
export function differenceWithBelow(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, (ours, theirs) =>
    theirs.member ? nothing : { member: ours.member, below: differenceWithBelow(ours.below, theirs.below) },
  );
}

const nothing: FieldEntry = Object.freeze({ member: false, below: noFields });

/** `a` with what `keep` leaves of the entries that are also in `b`. */
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

/** Whether two sets have the same members. */
export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  if (a.entries.size !== b.entries.size) return false;
  for (const [element, ours] of a.entries) {
    const theirs = b.entries.get(element);
    if (!theirs || theirs.member !== ours.member || !equalSets(ours.below, theirs.below)) return false;
  }
  return true;
}

/** Every member, depth first. */
export function* pathsOf(set: FieldSet, prefix: readonly PathElement[] = []): Generator<readonly PathElement[]> {
  for (const [element, entry] of set.entries) {
    const path = [...prefix, element];
    if (entry.member) yield path;
    yield* pathsOf(entry.below, path);
  }
}

/** Every member as messages list them: of each level first its members, then what is below them, both in order. */
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

/** The entry of a step with nothing below it, one for all: a list of many items has as many. */
const leafEntry: FieldEntry = Object.freeze({ member: true, below: noFields });

/** A step whose paths below are still collected. */
class OpenEntry {
  member: boolean;
  readonly below = new FieldSetBuilder();

  constructor(member: boolean) {
    this.member = member;
  }
}

/** Collects paths into a set; lives as long as one walk. */
export class FieldSetBuilder {
  /** Made when there is something to hold: most builders of a comparison are given nothing. */
  #entries: Map<PathElement, FieldEntry | OpenEntry> | undefined;

  /** Adds the path of one step. */
  add(element: PathElement): void {
    const entry = this.#entries?.get(element);
    if (entry instanceof OpenEntry) entry.member = true;
    else this.#put(element, leafEntry);
  }

  /** The builder of what is below a step; the step itself does not become a member. */
  below(element: PathElement): FieldSetBuilder {
    const entry = this.#entries?.get(element);
    if (entry instanceof OpenEntry) return entry.below;
    return this.#put(element, new OpenEntry(entry !== undefined)).below;
  }

  /** Adds a whole path; the empty path is no member of any set. */
  insert(path: readonly PathElement[]): void {
    const [first, ...rest] = path;
    if (first === undefined) return;
    if (rest.length === 0) this.add(first);
    else this.below(first).insert(rest);
  }

  /** The set of what was added; nothing may be added afterwards. Levels in which nothing was added are left out. */
  build(): FieldSet {
    if (!this.#entries) return noFields;
    let last: FieldEntry = leafEntry;
    for (const [element, entry] of this.#entries) {
      if (!(entry instanceof OpenEntry)) continue;
      const below = entry.below.build();
      // Items of a list are mostly made alike, and then have one entry.
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
