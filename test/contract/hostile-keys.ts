import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { anyText } from '../any-text.ts';
import { bytes, type Fixture, lineOf, listAll, startWatch, textOf } from './fixture.ts';

/** Characters that mean something to somebody: separators, ends of ranges, wildcards, controls, the ends of planes. */
const hostile = fc.constantFrom(
  '/',
  '\0',
  '.',
  '..',
  '%2f',
  '*',
  '\\',
  '\n',
  '\u007f',
  'ÿ',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '\u{10000}',
  '\u{10ffff}',
  '__proto__',
  'a',
  '0',
);
const name = fc.oneof(
  fc.array(hostile, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
  anyText({ minLength: 1, maxLength: 12 }),
);

/** Keys that nobody would choose, except to reach another's. */
export function describeHostileKeys({ store, prefix }: Fixture): void {
  describe('hostile keys', () => {
    it('reach no other key, and are listed in the order of their bytes', async () => {
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(name, { minLength: 2, maxLength: 12 }), async (names) => {
          const start = prefix();
          const keys = names.map((one) => start + one);
          const { revision: after } = await store().status();
          for (const key of keys) await store().create(key, bytes(key));
          for (const key of keys) assert.equal(textOf((await store().get(key)).current), key);
          const inOrder = keys.toSorted((a, b) => Buffer.compare(bytes(a), bytes(b)));
          assert.deepEqual((await listAll(store(), start)).keys, inOrder);
          const [begin = ''] = keys;
          assert.deepEqual(
            (await listAll(store(), begin)).keys,
            inOrder.filter((key) => key.startsWith(begin)),
          );
          const rest = inOrder.slice(inOrder.indexOf(begin));
          assert.deepEqual((await listAll(store(), start, { startKey: begin })).keys, rest);
          const watch = startWatch(store(), start, after);
          await watch.reach(keys.length);
          await watch.stop();
          assert.deepEqual(
            watch.events.map(lineOf),
            keys.map((key) => `put ${key}=${key}`),
          );
        }),
        { numRuns: 40 },
      );
    });
  });
}
