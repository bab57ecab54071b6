import assert from 'node:assert/strict';
import { bytes, createAll, failsWith, type Fixture, listAll, textOf } from './fixture.ts';

/** Reading keys and ranges, now and as they were. */
export function describeReads({ store, prefix }: Fixture): void {
  describe('reads', () => {
    it('answer nothing and the newest revision for a key that does not exist', async () => {
      const result = await store().get(`${prefix()}none`);
      assert.equal(result.current, undefined);
      assert.equal(result.revision, (await store().status()).revision);
    });

    it('answer what a key held at an earlier revision', async () => {
      const key = `${prefix()}a`;
      const { revision } = await store().create(key, bytes('one'));
      await store().update(key, bytes('two'), revision);
      await store().delete(key, revision + 1);
      const held = async (at: number) => textOf((await store().get(key, { revision: at })).current);
      assert.equal(await held(revision - 1), undefined);
      assert.equal(await held(revision), 'one');
      assert.equal(await held(revision + 1), 'two');
      assert.equal(await held(revision + 2), undefined);
    });

    it('refuse a revision that has not been reached, and say which is the newest', async () => {
      const start = prefix();
      const { revision } = await store().create(`${start}a`, bytes('one'));
      await assert.rejects(store().get(`${start}a`, { revision: revision + 5 }), failsWith('FutureRevision', revision));
      await assert.rejects(listAll(store(), start, { revision: revision + 5 }), failsWith('FutureRevision', revision));
    });
  });

  describe('lists', () => {
    it('answer one page without values where there are none', async () => {
      const { values, remaining, revision } = await listAll(store(), prefix());
      assert.deepEqual(values, []);
      assert.equal(remaining, 0);
      assert.equal(revision, (await store().status()).revision);
    });

    it('hold all keys with the prefix and no others', async () => {
      const start = prefix();
      const other = start.slice(0, -1);
      await createAll(store(), [`${start}x`, `${other}b`, `${start}y/z`, other, `${other}0`]);
      assert.deepEqual((await listAll(store(), start)).keys, [`${start}x`, `${start}y/z`]);
    });

    it('are in the order of the bytes of their keys', async () => {
      const start = prefix();
      // U+FF5E is three bytes and the emoji four, but in UTF-16 the emoji begins with a smaller unit.
      const names = ['\u0000', '-', '.', '/', '0', 'A', 'Z', 'a', 'a-', 'a/', 'aa', 'z', 'é', '\uff5e', '\u{1f600}'];
      await createAll(store(), names.map((name) => start + name).toReversed());
      assert.deepEqual(
        (await listAll(store(), start)).keys,
        names.map((name) => start + name),
      );
    });

    it('stop at their limit and count what is left', async () => {
      const start = prefix();
      await createAll(
        store(),
        ['a', 'b', 'c', 'd'].map((name) => start + name),
      );
      const { keys, remaining } = await listAll(store(), start, { limit: 3 });
      assert.deepEqual(
        keys,
        ['a', 'b', 'c'].map((name) => start + name),
      );
      assert.equal(remaining, 1);
    });

    it('continue at a key, which need not exist, within the prefix', async () => {
      const start = prefix();
      await createAll(
        store(),
        ['a', 'c', 'd'].map((name) => start + name),
      );
      const from = async (startKey: string) => (await listAll(store(), start, { startKey })).keys.join();
      assert.equal(await from(`${start}b`), `${start}c,${start}d`);
      assert.equal(await from(`${start}c`), `${start}c,${start}d`);
      assert.equal(await from(`${start}c\0`), `${start}d`);
      assert.equal(await from('/'), `${start}a,${start}c,${start}d`);
      assert.equal(await from(`${start.slice(0, -1)}0`), '');
      assert.equal(await from('\u{10ffff}'), '');
    });

    it('show what was there at an earlier revision', async () => {
      const start = prefix();
      const [first = 0, second = 0] = await createAll(store(), [`${start}a`, `${start}b`]);
      await store().delete(`${start}a`, first);
      await store().update(`${start}b`, bytes('new'), second);
      await createAll(store(), [`${start}c`]);
      const then = await listAll(store(), start, { revision: second });
      assert.equal(then.revision, second);
      assert.deepEqual(
        then.values.map(({ key, revision }) => [key, revision]),
        [
          [`${start}a`, first],
          [`${start}b`, second],
        ],
      );
      assert.equal(textOf(then.values[1]), `value of ${start}b`);
      assert.deepEqual((await listAll(store(), start)).keys, [`${start}b`, `${start}c`]);
    });

    it('are of one revision although keys change between the pages', async () => {
      const start = prefix();
      const name = (i: number): string => `${start}${String(i).padStart(5, '0')}`;
      const names = Array.from({ length: 2_100 }, (_, i) => name(i));
      for (let i = 0; i < names.length; i += 300) {
        await Promise.all(names.slice(i, i + 300).map((key) => store().create(key, bytes(key))));
      }
      const listed: string[] = [];
      for await (const page of store().list(start)) {
        listed.push(...page.values.map(({ key }) => key));
        assert.equal(page.remaining, names.length - listed.length);
        if (page.remaining === 0) break;
        await store().create(`${name(9_000)}-${listed.length}`, bytes('late'));
        const last = await store().get(name(2_099));
        await store().update(name(2_099), bytes('changed'), last.current?.revision ?? 0);
      }
      assert.deepEqual(listed, names);
    });

    it('can be left after the first page', async () => {
      const start = prefix();
      await createAll(store(), [`${start}a`, `${start}b`]);
      for await (const page of store().list(start)) {
        assert.equal(page.values.length, 2);
        break;
      }
    });

    it('cover the whole store with the empty prefix', async () => {
      const start = prefix();
      await createAll(store(), [`${start}a`]);
      assert.ok((await listAll(store(), '')).keys.includes(`${start}a`));
    });
  });
}
