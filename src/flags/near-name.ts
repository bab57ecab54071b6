import { closest, distance } from 'fastest-levenshtein';

/** A similar name is suggested if its edit distance is at most this share of its length. */
const nearShare = 1 / 2;

/** The name that was probably meant by a misspelled one; undefined if none is like it. */
export function nearName(given: string, names: readonly string[]): string | undefined {
  const near = closest(given, names);
  return distance(given, near) <= near.length * nearShare ? near : undefined;
}
