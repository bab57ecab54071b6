import assert from 'node:assert/strict';
import type { ObjectStore } from '../../src/storage/port/object-store.ts';
import { bytes, createAll, failsWith, type Fixture, lineOf, revisionOf, startWatch, textOf } from './fixture.ts';

/** Following changes. */
export function describeWatches({ store, prefix }: Fixture): void {
  const newest = async (): Promise<number> => (await store().status()).revision;

  describe('watches', () => {
    it('tell creations, updates and deletions with the values before', async () => {
      const start = prefix();
      const watch = startWatch(store(), start, await newest());
      const { revision } = await store().create(`${start}a`, bytes('one'));
      await store().update(`${start}a`, bytes('two'), revision);
      await store().delete(`${start}a`, revision + 1);
      await watch.reach(3);
      await watch.stop();
      assert.deepEqual(watch.events.map(lineOf), [
        `put ${start}a=one`,
        `put ${start}a=two was one`,
        `delete ${start}a was two`,
      ]);
      assert.deepEqual(watch.events.map(revisionOf), [revision, revision + 1, revision + 2]);
      assert.equal(watch.events[2]?.previous?.revision, revision + 1);
    });

    it('tell a creation from a change, a creation after a deletion too', async () => {
      const start = prefix();
      const watch = startWatch(store(), start, await newest());
      const { revision } = await store().create(`${start}a`, bytes('one'));
      await store().update(`${start}a`, bytes('two'), revision);
      await store().delete(`${start}a`, revision + 1);
      await store().create(`${start}a`, bytes('three'));
      await watch.reach(4);
      await watch.stop();
      assert.deepEqual(
        watch.events.map((event) => event.type === 'put' && event.created),
        [true, false, false, true],
      );
    });

    it('tell what happened after their revision, before they were opened too', async () => {
      const start = prefix();
      const [, second = 0] = await createAll(
        store(),
        ['a', 'b', 'c'].map((name) => start + name),
      );
      const watch = startWatch(store(), start, second);
      await watch.reach(1);
      await createAll(store(), [`${start}d`]);
      await watch.reach(2);
      await watch.stop();
      assert.deepEqual(watch.events.map(revisionOf), [second + 1, second + 2]);
    });

    it('tell only of their prefix, and several do not disturb each other', async () => {
      const [one, two] = [prefix(), prefix()];
      const after = await newest();
      const watches = [
        startWatch(store(), one, after),
        startWatch(store(), two, after),
        startWatch(store(), '', after),
      ];
      await createAll(store(), [`${one}a`, `${two}a`, `${one}b`, `${one.slice(0, -1)}0`]);
      await Promise.all(watches.map((watch, i) => watch.reach([2, 1, 4][i] ?? 0)));
      await watches[0]?.stop();
      await createAll(store(), [`${two}b`]);
      await Promise.all([watches[1]?.reach(2), watches[2]?.reach(5)]);
      await Promise.all(watches.map((watch) => watch.stop()));
      assert.deepEqual(
        watches.map(({ events }) => events.length),
        [2, 2, 5],
      );
    });

    it('are in order, without gaps and repeats, while many write', async () => {
      const start = prefix();
      const after = await newest();
      const early = startWatch(store(), start, after);
      const writers = Array.from({ length: 20 }, (_, i) => writeMany(store(), `${start}${i}/`, 60));
      await Promise.all(writers);
      const count = 20 * 60;
      const late = startWatch(store(), start, after);
      await Promise.all([early.reach(count), late.reach(count)]);
      await Promise.all([early.stop(), late.stop()]);
      const expected = Array.from({ length: count }, (_, i) => after + 1 + i);
      assert.deepEqual(early.events.map(revisionOf), expected);
      assert.deepEqual(late.events.map(revisionOf), expected);
      for (const { revision, events } of [...early.batches, ...late.batches]) {
        const last = events.at(-1);
        if (last) assert.ok(revisionOf(last) <= revision);
      }
    });

    it('tell big values whole', async () => {
      const start = prefix();
      const after = await newest();
      for (let i = 0; i < 8; i++) await store().create(`${start}${i}`, Buffer.alloc(1_000_000, String(i)));
      const watch = startWatch(store(), start, after);
      await watch.reach(8);
      await watch.stop();
      const texts = watch.events.map((event) => (event.type === 'put' ? (textOf(event.current) ?? '') : ''));
      assert.deepEqual(
        texts.map((text) => [text.length, text[0], text.at(-1)]),
        Array.from('01234567', (digit) => [1_000_000, digit, digit]),
      );
    });

    it('end when their caller goes away', async () => {
      const start = prefix();
      const watch = startWatch(store(), start, await newest());
      await store().create(`${start}a`, bytes('one'));
      await watch.reach(1);
      await watch.stop();
      assert.equal(await watch.ended, undefined);
    });

    it('do not begin for a caller that has gone away', async () => {
      const watch = store().watch(prefix(), { afterRevision: await newest(), signal: AbortSignal.abort() });
      for await (const batch of watch) assert.fail(`delivered ${batch.revision}`);
    });

    it('say first that they have begun, where nothing happens too', async () => {
      const afterRevision = await newest();
      for await (const batch of store().watch(prefix(), { afterRevision })) {
        assert.deepEqual(batch, { revision: afterRevision, events: [] });
        break;
      }
    });

    it('are refused in a history that is not the one of their revision', async () => {
      const { revision: afterRevision, historyId } = await store().status();
      for await (const batch of store().watch(prefix(), { afterRevision, historyId })) {
        assert.equal(batch.revision, afterRevision);
        break;
      }
      const another = store().watch(prefix(), { afterRevision, historyId: `not ${historyId}` });
      await assert.rejects(another[Symbol.asyncIterator]().next(), failsWith('Corrupt'));
    });

    it('do not begin before a compaction, though its revision is the next', async () => {
      const start = prefix();
      const [first = 0, second = 0] = await createAll(store(), [`${start}a`, `${start}b`]);
      await store().compact(second);
      assert.ok(failsWith('Compacted')(await startWatch(store(), start, first).ended));
      const watch = startWatch(store(), start, second);
      await createAll(store(), [`${start}c`]);
      await watch.reach(1);
      await watch.stop();
    });

    it('can be left by their reader', async () => {
      const start = prefix();
      const after = await newest();
      await createAll(store(), [`${start}a`]);
      for await (const { events } of store().watch(start, { afterRevision: after })) {
        if (events.length === 0) continue;
        assert.equal(events.length, 1);
        break;
      }
    });

    it('refuse a revision that has not been reached, and one that is none', async () => {
      const start = prefix();
      const revision = await newest();
      const opened = async (afterRevision: number): Promise<unknown> =>
        await startWatch(store(), start, afterRevision).ended;
      assert.ok(failsWith('FutureRevision', revision)(await opened(revision + 7)));
      assert.ok(failsWith('InvalidArgument')(await opened(0)));
    });
  });
}

/** Creates, changes and deletes keys; `writes` writes altogether. */
async function writeMany(store: ObjectStore, start: string, writes: number): Promise<void> {
  for (let i = 0; i < writes; i += 3) {
    const key = `${start}${i}`;
    const { revision } = await store.create(key, bytes('one'));
    const updated = await store.update(key, bytes('two'), revision);
    await store.delete(key, updated.revision);
  }
}
