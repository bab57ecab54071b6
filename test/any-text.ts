import * as fc from 'fast-check';

/**
 * Texts of any characters of Unicode. The unit `binary` of fast-check does the same after two seconds of CPU time, in which it
 * makes a table of all characters.
 */
export function anyText(
  constraints: { readonly minLength?: number; readonly maxLength?: number } = {},
): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: character });
}

/** All planes, and Latin more often; halves of surrogate pairs are not characters. */
const character = fc
  .oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0x80, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((code) => String.fromCodePoint(code));
