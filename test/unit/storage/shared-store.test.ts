import assert from 'node:assert/strict';
import type { CacheSettings } from '../../../src/storage/cache/cache-settings.ts';
import type { CacheWatchQuery } from '../../../src/storage/cache/resource-cache.ts';
import { StorageError } from '../../../src/storage/port/storage-error.ts';
import type { WatchCache } from '../../../src/storage/cache/watch-cache.ts';
import { after, code, eventually, FaultyStore, newCache, pause, pods, putBytes, putPod, readWatch } from './fixture.ts';
import { describeEvents } from './fixture.ts';

const all = { namespace: '', at: { kind: 'latest' }, limit: 0 } as const;
const latestState: CacheWatchQuery['start'] = { kind: 'state', at: { kind: 'latest' }, bookmarkAfterState: true };

// Seen in a bench with two servers on one etcd: when one wrote its compaction mark, a watch on the other was refused.
describe('the watch cache of a store that others use under another prefix', () => {
  let store: FaultyStore;
  let caches: WatchCache[];
  beforeEach(() => {
    store = new FaultyStore();
    caches = [];
  });
  afterEach(async () => {
    await Promise.all(caches.map((cache) => cache.close()));
    await store.close();
  });
  const open = (settings: Partial<CacheSettings> = {}) => {
    const cache = newCache(store, { freshnessTimeoutMs: 60_000, silenceMs: 10, ...settings });
    caches.push(cache);
    return cache.resource(pods);
  };
  const others = () => putBytes(store, '/others/x', Buffer.from(`${Math.random()}`));
  const revision = async () => (await store.status()).revision;

  it('answers what must be new though its own stream says nothing', async () => {
    const [resource, second] = [open(), open()];
    await putPod(store, 'default', 'x');
    await Promise.all([resource.list(all), second.list(all)]);
    for (let round = 0; round < 3; round++) {
      const theirs = await others();
      const [list, got, again] = await Promise.all([
        resource.list(all),
        resource.get('default', 'x', { kind: 'notOlderThan', revision: theirs }),
        second.list(all),
      ]);
      assert.ok(Math.min(list.revision, got.revision, again.revision) >= theirs);
      assert.equal(list.objects.length, 1);
    }
    assert.equal(store.counts.list, 2, 'all else came from memory');
  });

  it('reads one object from the store rather than wait for what may never come', async () => {
    const resource = open({ silenceMs: 60_000 });
    const x = await putPod(store, 'default', 'x');
    await resource.list(all);
    const theirs = await others();
    const got = await resource.get('default', 'x', { kind: 'latest' });
    assert.equal(got.object?.revision, x);
    assert.ok(got.revision >= theirs);
    assert.equal(await revision(), theirs, 'nothing was written for it');
  });

  it('begins watches', async () => {
    const resource = open();
    await resource.list(all);
    await others();
    const watching = readWatch(resource, { start: latestState });
    await watching.until(1);
    assert.deepEqual(describeEvents(watching.events), ['BOOKMARK end']);
    await watching.stop();
  });

  it('finds the end of the history that a watch resumes through', async () => {
    const start = await putPod(store, 'default', 'x');
    await others();
    const watching = readWatch(open(), after(start));
    await eventually(() => watching.batches.length > 0);
    const y = await putPod(store, 'default', 'y');
    await watching.until(1);
    assert.deepEqual(describeEvents(watching.events), [`ADDED y ${y}`]);
    await watching.stop();
  });

  it('is not written to for a revision that it does not have', async () => {
    const resource = open({ freshnessTimeoutMs: 100 });
    await resource.list(all);
    const before = await revision();
    const future = { kind: 'notOlderThan', revision: before + 2 } as const;
    await assert.rejects(resource.get('default', 'x', future), code('FutureRevision'));
    assert.equal(await revision(), before);
  });

  for (const [said, error, logged] of [
    ['says why', new TypeError('not a store at all'), ['the progress key could not be written to the store']],
    ['says nothing of a store', new StorageError('Unavailable', 'down'), []],
  ] as const) {
    it(`asks the store, and ${said} that could not be written to`, async () => {
      const lines: string[] = [];
      const cache = newCache(store, { freshnessTimeoutMs: 100, silenceMs: 10 }, (line) => void lines.push(line));
      caches.push(cache);
      const resource = cache.resource(pods);
      await resource.list(all);
      await putPod(store, 'default', 'x');
      await resource.list(all);
      const theirs = await others();
      store.create = store.update = () => Promise.reject(error);
      assert.ok((await resource.list(all)).revision >= theirs);
      assert.deepEqual([...new Set(lines)], logged);
    });
  }

  it('is not written to when nobody waits', async () => {
    const resource = open();
    await resource.list(all);
    const theirs = await others();
    await pause(50);
    assert.equal(await revision(), theirs);
  });

  it('makes watches wait while it lags longer than a list would, and delivers their events in the end', async () => {
    const resource = open({ freshnessTimeoutMs: 20, watchStartTimeoutMs: 60_000 });
    const impatient = open({ freshnessTimeoutMs: 20, watchStartTimeoutMs: 200 });
    await Promise.all([resource.list(all), impatient.list(all)]);
    let release = () => {};
    store.gate = new Promise((resolve) => {
      release = resolve;
    });
    await putPod(store, 'default', 'x');
    const patient = readWatch(resource, { start: latestState });
    await pause(100);
    release();
    await patient.until(2);
    assert.match(describeEvents(patient.events).join(), /^ADDED x \d+,BOOKMARK end$/);
    await patient.stop();

    store.gate = new Promise(() => {});
    await putPod(store, 'default', 'y');
    const disappointed = readWatch(impatient, { start: latestState });
    assert.ok(code('FutureRevision')(await disappointed.done));
    assert.equal(disappointed.events.length, 0);
  });
});
