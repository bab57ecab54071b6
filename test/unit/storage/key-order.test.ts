import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { compareKeys, prefixEnd } from '../../../src/storage/port/key-order.ts';

const text = fc.string({ unit: 'binary', maxLength: 8 });

describe('The order of keys', () => {
  it('is the order of their bytes', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        assert.equal(Math.sign(compareKeys(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      {
        numRuns: 2_000,
        examples: [
          ['\uffff', '\u{10000}'],
          ['a', 'a'],
          ['', 'a'],
          ['a/', 'a0'],
        ],
      },
    );
  });

  it('ends the keys with a prefix before the first key that is behind all of them', () => {
    fc.assert(
      fc.property(text, text, (prefix, key) => {
        const end = prefixEnd(prefix);
        const within = compareKeys(key, prefix) >= 0 && (end === undefined || compareKeys(key, end) < 0);
        assert.equal(within, key.startsWith(prefix));
        assert.ok(end === undefined || compareKeys(prefix + key, end) < 0);
      }),
      {
        numRuns: 2_000,
        examples: [
          ['\u{10ffff}', ''],
          ['a\u{10ffff}', 'b'],
          ['\ud7ff', '\ue000'],
          ['', 'a'],
        ],
      },
    );
  });
});
