/**
 * Compares keys by their UTF-8 bytes, which is the order of every store. JavaScript compares UTF-16
 * units, which differs where a character above U+FFFF meets one between U+E000 and U+FFFF.
 */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const unitA = a.charCodeAt(i);
    const unitB = b.charCodeAt(i);
    if (unitA !== unitB) return byteRank(unitA) - byteRank(unitB);
  }
  return a.length - b.length;
}

/** Ranks surrogates, the halves of characters above U+FFFF, after all other units. */
function byteRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** The first key after all keys with `prefix`; undefined if no key can be greater. */
export function prefixEnd(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === 0x10ffff) continue;
    // The code points D800 to DFFF are not characters.
    return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
  }
  return undefined;
}
