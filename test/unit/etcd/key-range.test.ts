import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { keyRange } from '../../../src/etcd/key-range.ts';
import { anyText } from '../../any-text.ts';

const text = anyText({ maxLength: 8 });
const zero = Buffer.from([0]);

describe('The range of a prefix', () => {
  it('holds exactly the keys with the prefix that are not before the start', () => {
    fc.assert(
      fc.property(
        text,
        text,
        text.filter((key) => key !== ''),
        (prefix, start, key) => {
          const bytes = Buffer.from(key);
          const range = keyRange(prefix, start);
          const unlimited = range !== undefined && range.range_end.equals(zero);
          const within =
            range !== undefined &&
            Buffer.compare(bytes, range.key) >= 0 &&
            (unlimited || Buffer.compare(bytes, range.range_end) < 0);
          assert.equal(within, key.startsWith(prefix) && Buffer.compare(bytes, Buffer.from(start)) >= 0);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
