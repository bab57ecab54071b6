import assert from 'node:assert/strict';
import { bytes, createAll, failsWith, type Fixture, listAll, startWatch, textOf } from './fixture.ts';

/** Forgetting history. */
export function describeCompaction({ store, prefix }: Fixture): void {
  describe('compaction', () => {
    it('refuses reads, lists and watches before its revision, and says which is the oldest left', async () => {
      const start = prefix();
      const [first = 0, , third = 0] = await createAll(
        store(),
        ['a', 'b', 'c'].map((name) => start + name),
      );
      await store().compact(third);
      await assert.rejects(store().get(`${start}a`, { revision: first }), failsWith('Compacted', third));
      await assert.rejects(listAll(store(), start, { revision: third - 1 }), failsWith('Compacted', third));
      assert.ok(failsWith('Compacted', third)(await startWatch(store(), start, first).ended));
      assert.ok(failsWith('Compacted', third)(await startWatch(store(), start, third - 1).ended));
    });

    it('keeps what is there at its revision and after it', async () => {
      const start = prefix();
      const [first = 0, second = 0] = await createAll(
        store(),
        ['a', 'b'].map((name) => start + name),
      );
      await store().update(`${start}a`, bytes('new'), first);
      const { revision } = await store().create(`${start}c`, bytes('c'));
      await store().delete(`${start}b`, second);
      await store().compact(revision);
      assert.deepEqual(
        (await listAll(store(), start, { revision })).keys,
        ['a', 'b', 'c'].map((name) => start + name),
      );
      assert.equal(textOf((await store().get(`${start}a`, { revision })).current), 'new');
      assert.deepEqual((await listAll(store(), start)).keys, [`${start}a`, `${start}c`]);
      const watch = startWatch(store(), start, revision);
      await watch.reach(1);
      await watch.stop();
      assert.equal(watch.events[0]?.type, 'delete');
    });

    it('forgets a key that was deleted before', async () => {
      const start = prefix();
      const { revision } = await store().create(`${start}a`, bytes('one'));
      await store().delete(`${start}a`, revision);
      await store().compact(revision + 1);
      assert.equal((await store().get(`${start}a`)).current, undefined);
      assert.equal((await store().create(`${start}a`, bytes('two'))).revision, revision + 2);
    });

    it('can be repeated, and an older one is no error', async () => {
      const [first = 0, second = 0] = await createAll(
        store(),
        ['a', 'b'].map((name) => prefix() + name),
      );
      await store().compact(second);
      await store().compact(second);
      await store().compact(first);
    });

    it('refuses a revision that has not been reached', async () => {
      const { revision } = await store().status();
      await assert.rejects(store().compact(revision + 10), failsWith('FutureRevision', revision));
    });

    it('does not end a watch that has come so far', async () => {
      const start = prefix();
      const { revision } = await store().status();
      const watch = startWatch(store(), start, revision);
      await createAll(store(), [`${start}a`]);
      await watch.reach(1);
      await store().compact(revision + 1);
      await createAll(store(), [`${start}b`]);
      await watch.reach(2);
      await watch.stop();
    });
  });
}
