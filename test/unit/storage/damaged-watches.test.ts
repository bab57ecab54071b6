import assert from 'node:assert/strict';
import type { CacheWatchQuery } from '../../../src/storage/cache/resource-cache.ts';
import type { WatchCache } from '../../../src/storage/cache/watch-cache.ts';
import {
  after,
  code,
  describeEvents,
  eventually,
  FaultyStore,
  newCache,
  podKey,
  pods,
  putBytes,
  putPod,
  readWatch,
  remove,
} from './fixture.ts';

const all = { namespace: '', at: { kind: 'latest' }, limit: 0 } as const;
const key = podKey('default', 'x');
const red: Pick<CacheWatchQuery, 'filter'> = { filter: (index) => index.labels.get('color') === 'red' };

describe('watches of a value that cannot be read', () => {
  let store: FaultyStore;
  let cache: WatchCache;
  beforeEach(() => {
    store = new FaultyStore();
    cache = newCache(store);
  });
  afterEach(async () => {
    await cache.close();
    await store.close();
  });

  const damage = () => putBytes(store, key, Buffer.from('damaged'));
  const put = (color = 'red') => putPod(store, 'default', 'x', { color });
  const listed = async () => (await cache.resource(pods).list(all)).revision;
  /** The events up to one of another object, which is written last. */
  const eventsOf = async (watches: readonly ReturnType<typeof readWatch>[]): Promise<string[][]> => {
    await putPod(store, 'default', 'last', { color: 'red' });
    const seen = watches.map(({ events }) => describeEvents(events));
    await eventually(() => {
      watches.forEach(({ events }, index) => (seen[index] = describeEvents(events)));
      return seen.every((events) => events.at(-1)?.startsWith('ADDED last'));
    });
    for (const watch of watches) await watch.stop();
    return seen.map((events) => events.slice(0, -1));
  };

  it('see no deletion, and the next readable state as a change of the last one', async () => {
    const start = await put();
    await listed();
    const [every, reds] = [
      readWatch(cache.resource(pods), after(start)),
      readWatch(cache.resource(pods), { ...after(start), ...red }),
    ];
    await damage();
    const damagedAt = await damage();
    const list = await cache.resource(pods).list(all);
    assert.deepEqual([list.objects.length, list.unreadable], [0, [key]]);
    const later = readWatch(cache.resource(pods), after(damagedAt));
    const repaired = await put();
    await damage();
    const blue = await put('blue');
    const resumed = readWatch(cache.resource(pods), after(start));
    assert.deepEqual(await eventsOf([every, reds, later, resumed]), [
      [`MODIFIED x ${repaired}`, `MODIFIED x ${blue}`],
      [`MODIFIED x ${repaired}`, `DELETED x ${blue}`],
      [`ADDED x ${repaired}`, `MODIFIED x ${blue}`],
      [`MODIFIED x ${repaired}`, `MODIFIED x ${blue}`],
    ]);
  });

  it('see its end as the end of the last readable state, and nothing of what never was readable', async () => {
    const start = await put();
    await listed();
    const watch = readWatch(cache.resource(pods), after(start));
    await damage();
    const deleted = await remove(store, key);
    await damage();
    await remove(store, key);
    const created = await put();
    assert.deepEqual(await eventsOf([watch]), [[`DELETED x ${deleted}`, `ADDED x ${created}`]]);
  });

  it('see the same in the history of the store', async () => {
    const start = await put();
    await damage();
    const repaired = await put('blue');
    await damage();
    const deleted = await remove(store, key);
    await listed();
    const watches = [
      readWatch(cache.resource(pods), after(start)),
      readWatch(cache.resource(pods), { ...after(start), ...red }),
    ];
    assert.deepEqual(await eventsOf(watches), [
      [`MODIFIED x ${repaired}`, `DELETED x ${deleted}`],
      [`DELETED x ${repaired}`],
    ]);
  });

  it('end where the last readable state is not known, and a client may have it', async () => {
    await put();
    await damage();
    const start = await listed();
    const [every, reds] = [
      readWatch(cache.resource(pods), after(start)),
      readWatch(cache.resource(pods), { ...after(start), ...red }),
    ];
    const repaired = await put('blue');
    assert.ok(code('Compacted')(await reds.done));
    assert.deepEqual(describeEvents(reds.events), []);
    assert.deepEqual(await eventsOf([every]), [[`ADDED x ${repaired}`]]);
  });

  it('end when such a value is deleted, those of its namespace alone', async () => {
    await put();
    await damage();
    const start = await listed();
    const [own, other] = ['default', 'other'].map((namespace) =>
      readWatch(cache.resource(pods), { namespace, ...after(start) }),
    );
    assert.ok(own && other);
    await remove(store, key);
    assert.ok(code('Compacted')(await own.done));
    const created = await putPod(store, 'other', 'y');
    await other.until(1);
    assert.deepEqual(describeEvents(other.events), [`ADDED y ${created}`]);
    await other.stop();
  });
});
