import assert from 'node:assert/strict';
import { bytes, failsWith, type Fixture, textOf } from './fixture.ts';

/** Creating, replacing and deleting one key. */
export function describeWrites({ store, prefix }: Fixture): void {
  describe('writes', () => {
    it('create a key and answer the revision that a read then shows', async () => {
      const key = `${prefix()}a`;
      const { revision } = await store().create(key, bytes('one'));
      const { current } = await store().get(key);
      assert.equal(textOf(current), 'one');
      assert.equal(current?.key, key);
      assert.equal(current?.revision, revision);
    });

    it('raise the revision by one each', async () => {
      const key = `${prefix()}a`;
      const { revision } = await store().create(key, bytes('one'));
      assert.deepEqual(await store().update(key, bytes('two'), revision), { swapped: true, revision: revision + 1 });
      assert.deepEqual(await store().delete(key, revision + 1), { swapped: true, revision: revision + 2 });
      assert.equal((await store().status()).revision, revision + 2);
    });

    it('do not create a key that exists', async () => {
      const key = `${prefix()}a`;
      await store().create(key, bytes('one'));
      await assert.rejects(store().create(key, bytes('two')), failsWith('AlreadyExists'));
      assert.equal(textOf((await store().get(key)).current), 'one');
    });

    it('create a key again after it was deleted', async () => {
      const key = `${prefix()}a`;
      const { revision } = await store().create(key, bytes('one'));
      await store().delete(key, revision);
      const again = await store().create(key, bytes('two'));
      assert.equal(again.revision, revision + 2);
    });

    it('replace only the expected revision, and answer what is there instead', async () => {
      const key = `${prefix()}a`;
      const first = await store().create(key, bytes('one'));
      const second = await store().update(key, bytes('two'), first.revision);
      const late = await store().update(key, bytes('three'), first.revision);
      assert.equal(late.swapped, false);
      assert.equal(textOf(late.swapped ? undefined : late.current), 'two');
      assert.equal(late.swapped ? 0 : late.current?.revision, second.revision);
      assert.equal(textOf((await store().get(key)).current), 'two');
    });

    it('answer nothing as the current value of a key that does not exist', async () => {
      const key = `${prefix()}a`;
      const { revision } = await store().create(key, bytes('one'));
      await store().delete(key, revision);
      for (const late of [await store().update(key, bytes('two'), revision), await store().delete(key, revision)]) {
        assert.equal(late.swapped, false);
        assert.equal(late.swapped ? 'swapped' : late.current, undefined);
        assert.equal(late.revision, revision + 1);
      }
    });

    it('delete only the expected revision, and answer what is there instead', async () => {
      const key = `${prefix()}a`;
      const first = await store().create(key, bytes('one'));
      await store().update(key, bytes('two'), first.revision);
      const late = await store().delete(key, first.revision);
      assert.equal(textOf(late.swapped ? undefined : late.current), 'two');
      assert.equal(textOf((await store().get(key)).current), 'two');
    });

    it('keep any bytes, none and a megabyte of them included', async () => {
      const values = [Buffer.alloc(0), Buffer.from([0, 255, 0, 128]), Buffer.alloc(1_000_000, 'x')];
      for (const value of values) {
        const key = `${prefix()}a`;
        await store().create(key, value);
        const { current } = await store().get(key);
        assert.ok(current && Buffer.compare(current.value, value) === 0);
      }
    });

    it('refuse what is not a key or not a revision', async () => {
      const key = `${prefix()}a`;
      await assert.rejects(store().create('', bytes('x')), failsWith('InvalidArgument'));
      await assert.rejects(store().create(`${key}\ud800`, bytes('x')), failsWith('InvalidArgument'));
      await assert.rejects(store().update(key, bytes('x'), 0), failsWith('InvalidArgument'));
      await assert.rejects(store().delete(key, -1), failsWith('InvalidArgument'));
      await assert.rejects(store().get(key, { revision: 1.5 }), failsWith('InvalidArgument'));
    });

    it('are not begun for a caller that has gone away', async () => {
      const key = `${prefix()}a`;
      const signal = AbortSignal.abort();
      await assert.rejects(store().create(key, bytes('x'), { signal }), failsWith('Cancelled'));
      await assert.rejects(store().get(key, { signal }), failsWith('Cancelled'));
      await assert.rejects(store().status({ signal }), failsWith('Cancelled'));
      assert.equal((await store().get(key)).current, undefined);
    });
  });
}
