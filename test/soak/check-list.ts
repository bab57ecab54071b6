import type { ObjectHistory, ObjectVersion } from './object-history.ts';
import type { Selection } from './selections.ts';

/** A list as a client read it, all of its pages together. */
export interface ListResponse {
  readonly selection: Selection;
  readonly revision: number;
  readonly items: readonly ObjectVersion[];
}

/** Compares a list with the model at the list's revision; returns what is wrong, or undefined. */
export function checkList({ selection, revision, items }: ListResponse, history: ObjectHistory): string | undefined {
  // What the model has forgotten proves nothing either way.
  if (revision < history.trimmedTo) return undefined;
  const expected = history.select(selection, revision);
  const place = expected.findIndex((version, index) => !isSame(version, items[index]));
  if (place === -1 && items.length === expected.length) return undefined;
  const at = place === -1 ? expected.length : place;
  const keys = new Set(items.map(({ key }) => key)).size;
  return (
    `${items.length} items, ${keys} of them distinct, where ${expected.length} are right at ${revision}; ` +
    `item ${at} is ${describe(items[at])} and should be ${describe(expected[at])}`
  );
}

/** Whether two versions are the same state of the same object. */
export function isSame(a: ObjectVersion, b: ObjectVersion | undefined): boolean {
  return b !== undefined && a.key === b.key && a.revision === b.revision && a.hash === b.hash;
}

function describe(version: ObjectVersion | undefined): string {
  return version ? `${version.key}@${version.revision}` : 'absent';
}
