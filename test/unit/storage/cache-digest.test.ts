import assert from 'node:assert/strict';
import type { StoreEvent } from '../../../src/storage/port/object-store.ts';
import { StorageError } from '../../../src/storage/port/storage-error.ts';
import { WatchCache } from '../../../src/storage/cache/watch-cache.ts';
import { code, eventually, FaultyStore, podKey, pods, prefix, putBytes, putPod, readWatch, remove } from './fixture.ts';

const all = { namespace: '', at: { kind: 'any' }, limit: 0 } as const;

/** Changes what the feed of a store tells, as a store with a bug would. */
class LyingStore extends FaultyStore {
  lie: (events: readonly StoreEvent[]) => readonly StoreEvent[] = (events) => events;

  override async *watch(...args: Parameters<FaultyStore['watch']>): ReturnType<FaultyStore['watch']> {
    for await (const batch of super.watch(...args)) yield { ...batch, events: this.lie(batch.events) };
  }
}

describe('the watch cache, compared with its store', () => {
  let store: LyingStore;
  let cache: WatchCache;
  let said: string[];
  beforeEach(async () => {
    store = new LyingStore();
    said = [];
    const log = (message: string): void => void said.push(message);
    cache = new WatchCache({ store, prefix, settings: { checkIntervalMs: 5 }, log });
    for (let i = 0; i < 20; i++) await putPod(store, 'default', `p${i}`);
    await cache.resource(pods).list(all);
  });
  afterEach(async () => {
    await cache.close();
    await store.close();
  });

  const names = async () => (await cache.resource(pods).list(all)).objects.map(({ name }) => name);
  const differs = () => said.filter((message) => message.includes('differs from the store')).length;

  it('is left alone while it is right, however much is written', async () => {
    const { list } = store.counts;
    for (let i = 0; i < 200; i++) {
      await putPod(store, 'default', `p${i % 30}`, { n: String(i) });
      if (i % 3 === 0) await remove(store, podKey('default', `p${i % 30}`));
      if (i % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 3));
    }
    await eventually(() => store.counts.list > list + 5);
    assert.equal(cache.mismatches, 0);
    assert.deepEqual(cache.problems(), []);
  });

  it('is dropped and read again when a deletion was lost, and is not ready until it is right', async () => {
    store.lie = (events) => events.filter(({ type }) => type !== 'delete');
    const watch = readWatch(cache.resource(pods));
    await remove(store, podKey('default', 'p3'));
    await eventually(() => differs() === 1);
    assert.match(cache.problems().join(), /pods differed from the store/);
    assert.ok(code('Compacted')(await watch.done));
    await eventually(() => cache.problems().length === 0);
    assert.ok(!(await names()).includes('p3'));
    assert.equal(cache.mismatches, 1);
  });

  it('is dropped and read again when a change was lost', async () => {
    store.lie = () => [];
    await putPod(store, 'default', 'p4', { changed: 'yes' });
    await eventually(() => cache.mismatches > 0);
    store.lie = (events) => events;
    await eventually(() => cache.problems().length === 0);
    const { object } = await cache.resource(pods).get('default', 'p4', { kind: 'any' });
    assert.deepEqual([...(object?.index().labels ?? [])], [['changed', 'yes']]);
  });

  it('does not count values that nobody can read', async () => {
    const { list } = store.counts;
    await putBytes(store, podKey('default', 'broken'), Buffer.from('no envelope'));
    await eventually(() => store.counts.list > list + 3);
    assert.equal(cache.mismatches, 0);
  });

  it('is not blamed for a store that does not answer, or has forgotten the revision', async () => {
    let asked = 0;
    const broken: FaultyStore['list'] = () => {
      asked++;
      throw new StorageError('Compacted', 'gone');
    };
    Object.assign(store, { list: broken });
    await eventually(() => asked >= 3);
    Reflect.deleteProperty(store, 'list');
    assert.equal(cache.mismatches, 0);
    assert.deepEqual(cache.problems(), []);
  });
});
