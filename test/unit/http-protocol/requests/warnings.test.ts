import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createWarnings } from '../../../../src/http-protocol/requests/warnings.ts';

/** What a response has of all warnings: each whole if they fit into 4,096 characters, else cut to 256, up to as many. */
function shownOf(texts: readonly string[]): readonly string[] {
  const distinct = [...new Set(texts)].filter((text) => text !== '');
  if (distinct.join('').length <= 4_096) return distinct;
  let sum = 0;
  return distinct.flatMap((text) => {
    if (sum >= 4_096) return [];
    const cut = text.slice(0, 256);
    sum += cut.length;
    return [cut];
  });
}

const text = fc
  .tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(0, 1, 128, 255, 256, 257, 1_000, 4_095, 4_096))
  .map(([letter, length]) => letter.repeat(length));

describe('the warnings of a request', () => {
  it('are cut as all of them would be, however many come later', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(text, fc.string({ unit: fc.constantFrom('x', 'y') })), { maxLength: 60 }),
        (texts) => {
          const warnings = createWarnings();
          for (const one of texts) warnings.add(one);
          assert.deepEqual(
            warnings.headers(),
            shownOf(texts).map((one) => `299 - "${one}"`),
          );
        },
      ),
    );
  });
});
