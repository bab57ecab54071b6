import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { bytes, failsWith, type Fixture, lineOf, startWatch, textOf } from './fixture.ts';

/** etcd gives a lease two or three seconds at least, and looks for expired ones twice a second. */
const ttlSeconds = 6;

/** Keys that the store deletes by itself. */
export function describeExpiry({ store, prefix }: Fixture): void {
  describe('a time to live', () => {
    // The stories wait for most of their time: all begin at once, and each test waits for the end of its own.
    const begun: (() => void)[] = [];
    before(() => {
      for (const begin of begun) begin();
    });
    const story = (title: string, run: () => Promise<void>): void => {
      let ended: Promise<void> | undefined;
      begun.push(() => {
        ended = run();
        // Its test reports it, which may come later.
        ended.catch(() => undefined);
      });
      it(title, () => ended);
    };

    story('ends with the deletion of the key, which watches are told, and not before', async () => {
      const own = prefix();
      const from = performance.now();
      const { revision } = await store().create(`${own}a`, bytes('one'), { ttlSeconds });
      const watching = startWatch(store(), own, revision);
      await watching.reach(1);
      const tookMs = performance.now() - from;
      assert.ok(tookMs >= ttlSeconds * 1000 - 50, `after ${tookMs} ms`);
      await watching.stop();
      assert.deepEqual(watching.events.map(lineOf), [`delete ${own}a was one`]);
      assert.equal((await store().get(`${own}a`)).current, undefined);
      const again = await store().create(`${own}a`, bytes('two'));
      assert.ok(again.revision > revision);
    });

    story('begins anew with an update that gives one, and is gone with one that does not', async () => {
      const own = prefix();
      const [renewed, kept, left] = [`${own}renewed`, `${own}kept`, `${own}left`];
      const first = await store().create(renewed, bytes('one'), { ttlSeconds });
      const second = await store().create(kept, bytes('one'), { ttlSeconds });
      await store().create(left, bytes('one'), { ttlSeconds });
      await sleep(ttlSeconds * 300);
      await store().update(renewed, bytes('two'), first.revision, { ttlSeconds: ttlSeconds * 10 });
      const { revision } = await store().status();
      await store().update(kept, bytes('two'), second.revision);
      const watching = startWatch(store(), left, revision);
      await watching.reach(1);
      await watching.stop();
      await sleep(500);
      assert.equal(textOf((await store().get(renewed)).current), 'two');
      assert.equal(textOf((await store().get(kept)).current), 'two');
    });

    story('is shared by many keys, each of which goes', async () => {
      const own = prefix();
      const { revision } = await store().status();
      const keys = Array.from({ length: 40 }, (_, index) => `${own}${index}`);
      await Promise.all(keys.map((key) => store().create(key, bytes('one'), { ttlSeconds })));
      const watching = startWatch(store(), own, revision);
      await watching.reach(2 * keys.length);
      await watching.stop();
      const gone = watching.events
        .filter(({ type }) => type === 'delete')
        .map((event) => event.type === 'delete' && event.key);
      assert.deepEqual(new Set(gone), new Set(keys));
    });

    it('is refused unless it is a whole number of seconds of at least one', async () => {
      for (const wrong of [0, -1, 1.5, Number.NaN]) {
        const creation = store().create(`${prefix()}a`, bytes('one'), { ttlSeconds: wrong });
        await assert.rejects(creation, failsWith('InvalidArgument'));
        const update = store().update(`${prefix()}a`, bytes('one'), 1, { ttlSeconds: wrong });
        await assert.rejects(update, failsWith('InvalidArgument'));
      }
    });
  });
}
