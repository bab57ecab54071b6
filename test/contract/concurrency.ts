import assert from 'node:assert/strict';
import type { ObjectStore } from '../../src/storage/port/object-store.ts';
import { bytes, type Fixture, textOf } from './fixture.ts';

/** Many writers at once. */
export function describeConcurrency({ store, prefix }: Fixture): void {
  describe('concurrency', () => {
    it('gives a key that many create to one of them', async () => {
      const key = `${prefix()}a`;
      const tries = await Promise.allSettled(
        Array.from({ length: 50 }, (_, i) => store().create(key, bytes(`writer ${i}`))),
      );
      const winners = tries.flatMap((one, i) => (one.status === 'fulfilled' ? [{ i, ...one.value }] : []));
      assert.equal(winners.length, 1);
      const { current } = await store().get(key);
      assert.equal(textOf(current), `writer ${winners[0]?.i}`);
      assert.equal(current?.revision, winners[0]?.revision);
    });

    it('loses no update of a counter', async () => {
      const key = `${prefix()}counter`;
      await store().create(key, bytes('0'));
      await Promise.all(Array.from({ length: 10 }, () => countUp(store(), key, 15)));
      assert.equal(textOf((await store().get(key)).current), '150');
    });

    it('gives each deletion to one of those who try', async () => {
      const key = `${prefix()}a`;
      const { revision } = await store().create(key, bytes('x'));
      const tries = await Promise.all(Array.from({ length: 20 }, () => store().delete(key, revision)));
      assert.equal(tries.filter(({ swapped }) => swapped).length, 1);
    });
  });
}

/** Adds one so many times, beginning again from what is there when somebody else was faster. */
async function countUp(store: ObjectStore, key: string, times: number): Promise<void> {
  let { current } = await store.get(key);
  for (let done = 0; done < times; ) {
    assert.ok(current);
    const value = bytes(String(Number(textOf(current)) + 1));
    const result = await store.update(key, value, current.revision);
    if (result.swapped) done++;
    current = result.swapped ? { key, value, revision: result.revision } : result.current;
  }
}
