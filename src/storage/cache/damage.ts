import type { CachedObject } from '../objects/cached-object.ts';

/** An object whose stored value cannot be read, as its watchers know it. */
export interface Damage {
  /** The revision of the change that made it unreadable. */
  readonly since: number;
  /** The last state that could be read. */
  readonly last: CachedObject | undefined;
  /** False if that state is not known: the value was unreadable before the first change seen. */
  readonly isLastKnown: boolean;
}

/** The damage of a value since a change; `previous` is the state before it. */
export function damageSince(revision: number, previous: CachedObject | undefined): Damage {
  return { since: revision, last: previous, isLastKnown: true };
}

/** The damage of a value of which no readable state was seen. */
export function unknownDamage(revision: number): Damage {
  return { since: revision, last: undefined, isLastKnown: false };
}
