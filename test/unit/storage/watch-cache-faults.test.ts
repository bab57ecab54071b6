import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { newDeferred } from '../../../src/async/deferred.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import type { ObjectStore } from '../../../src/storage/port/object-store.ts';
import type { CacheEvent } from '../../../src/storage/cache/resource-cache.ts';
import type { WatchCache } from '../../../src/storage/cache/watch-cache.ts';
import {
  after,
  code,
  eventually,
  FaultyStore,
  newCache,
  nodes,
  pause,
  podKey,
  pods,
  putBytes,
  putPod,
  readWatch,
  remove,
  describeEvents,
  touch,
} from './fixture.ts';

const all = { namespace: '', at: { kind: 'latest' }, limit: 0 } as const;

describe('the watch cache under faults of the store', () => {
  let store: FaultyStore;
  let cache: WatchCache;
  beforeEach(() => {
    store = new FaultyStore();
    cache = newCache(store, { staleAfterMs: 20 });
  });
  afterEach(async () => {
    await cache.close();
    await store.close();
  });
  const fill = async () => (await cache.resource(pods).list(all)).revision;

  it('loses no event when the stream is cut again and again', async () => {
    const start = await fill();
    const watching = readWatch(cache.resource(pods), after(start));
    const wanted: string[] = [];
    for (let i = 0; i < 200; i++) {
      if (i % 5 === 4) wanted.push(`DELETED p${i - 1} ${await remove(store, podKey('default', `p${i - 1}`))}`);
      else wanted.push(`ADDED p${i} ${await putPod(store, 'default', `p${i}`)}`);
      if (i % 20 === 0) store.cut();
      if (i % 40 === 30) await pause(60);
      if (i % 7 === 0) await pause(1);
    }
    await watching.until(wanted.length);
    assert.deepEqual(describeEvents(watching.events), wanted);
    assert.ok(store.counts.watch >= 3, `${store.counts.watch} streams`);
    await watching.stop();
  });

  it('rebuilds a map by list and watch that is the list in the end, however often readers and streams are cut', async () => {
    const resource = cache.resource(pods);
    await fill();
    const stop = new AbortController();
    const writer = async () => {
      for (let i = 0; i < 400; i++) {
        const name = `p${i % 23}`;
        if (i % 11 === 3) await remove(store, podKey('default', name)).catch(() => undefined);
        else await putPod(store, 'default', name, { n: String(i) });
        if (i % 60 === 0) store.cut();
        if (i % 4 === 0) await pause(1);
      }
      stop.abort();
    };
    const reflector = async () => {
      const list = await resource.list(all);
      const found = new Map(list.objects.map((object) => [object.name, object.revision]));
      let { revision } = list;
      const take = (event: CacheEvent) => {
        if (event.type === 'BOOKMARK') return;
        assert.ok(event.object.revision > revision, 'in order and once');
        revision = event.object.revision;
        if (event.type === 'DELETED') assert.ok(found.delete(event.object.name), 'was there');
        else {
          assert.equal(found.has(event.object.name), event.type === 'MODIFIED');
          found.set(event.object.name, revision);
        }
      };
      while (!stop.signal.aborted) {
        const watching = readWatch(resource, after(revision));
        await pause(3 + Math.random() * 10);
        await watching.stop();
        for (const event of watching.events) take(event);
      }
      const end = await resource.list(all);
      const last = readWatch(resource, after(revision));
      const wanted = new Map(end.objects.map((object) => [object.name, object.revision]));
      // The list may have been read past a stream that is still to be opened again.
      let taken = 0;
      await eventually(() => {
        for (const event of last.events.slice(taken)) take(event);
        taken = last.events.length;
        return isDeepStrictEqual(found, wanted);
      });
      await last.stop();
    };
    await Promise.all([writer(), reflector(), reflector(), reflector()]);
  });

  it('ends its watches and starts again when history was compacted under its own stream', async () => {
    await putPod(store, 'default', 'x');
    const start = await fill();
    const watching = readWatch(cache.resource(pods), after(start));
    await eventually(() => cache.watches === 1);
    store.unavailable = true;
    store.cut();
    await putPod(store.inner, 'default', 'y');
    await store.compact(await putPod(store.inner, 'default', 'z'));
    store.unavailable = false;
    assert.ok(code('Compacted')(await watching.done));
    await eventually(() => cache.resource(pods).peek('default', 'z') !== undefined);
    assert.deepEqual(
      (await cache.resource(pods).list(all)).objects.map(({ name }) => name),
      ['x', 'y', 'z'],
    );
    assert.equal(cache.watches, 0);
  });

  /** A store that can be replaced by another behind the cache's back. */
  const swappable = async () => {
    const parts = { active: store as ObjectStore };
    const swapped = new Proxy<ObjectStore>(store, {
      get: (_, name) => {
        const value: unknown = Reflect.get(parts.active, name, parts.active);
        return typeof value === 'function' ? value.bind(parts.active) : value;
      },
    });
    await cache.close();
    cache = newCache(swapped);
    return parts;
  };

  it('resumes watches in a store that went back to what others wrote last', async () => {
    const backup = new MemoryStore();
    const old = await putPod(backup, 'default', 'old');
    await putBytes(backup, '/others/x', Buffer.from('x'));
    const parts = await swappable();
    await fill();
    for (let i = 0; i < 5; i++) await putPod(store, 'default', `p${i}`);
    await fill();
    parts.active = backup;
    await fill();
    const watching = readWatch(cache.resource(pods), after(old));
    await eventually(() => watching.batches.length > 0);
    await watching.stop();
    await backup.close();
  });

  it('notices a store that went back, on a read as on a new stream, and reads everything again', async () => {
    const backup = new MemoryStore();
    await putPod(backup, 'default', 'old');
    const parts = await swappable();
    for (let i = 0; i < 5; i++) await putPod(store, 'default', `p${i}`);
    const start = await fill();
    const watching = readWatch(cache.resource(pods), after(start));
    await eventually(() => cache.watches === 1);
    parts.active = backup;
    const { objects, revision } = await cache.resource(pods).list(all);
    assert.deepEqual(
      objects.map(({ name }) => name),
      ['old'],
    );
    assert.ok(revision < start);
    assert.ok(code('Compacted')(await watching.done));
    await putPod(backup, 'default', 'new');
    assert.equal((await cache.resource(pods).list(all)).objects.length, 2);
    await backup.close();
  });

  it('opens another stream where one shows nothing of what was written to make it speak', async () => {
    await cache.close();
    cache = newCache(store, { freshnessTimeoutMs: 60_000, silenceMs: 10, showTimeoutMs: 20 });
    await fill();
    const { promise, resolve: release } = newDeferred<void>();
    store.gate = promise;
    const { watch: streams } = store.counts;
    await putPod(store, 'default', 'unseen');
    assert.deepEqual(
      (await cache.resource(pods).list(all)).objects.map(({ name }) => name),
      ['unseen'],
    );
    await eventually(() => store.counts.watch > streams);
    assert.equal(cache.resource(pods).peek('default', 'unseen'), undefined);
    release();
    await eventually(() => cache.resource(pods).peek('default', 'unseen') !== undefined);
  });

  it('forgets a list that it was still reading when the store was replaced', async () => {
    const backup = new MemoryStore();
    await putPod(backup, 'default', 'old');
    const parts = await swappable();
    for (let i = 0; i < 5; i++) await putPod(store, 'default', `p${i}`);
    const { promise, resolve: release } = newDeferred<void>();
    store.listGate = promise;
    const list = cache.resource(pods).list(all);
    await eventually(() => store.counts.list === 1);
    parts.active = backup;
    store.cut();
    await eventually(() => cache.revision === 2);
    release();
    assert.deepEqual(
      (await list).objects.map(({ name }) => name),
      ['old'],
    );
    assert.equal(cache.resource(pods).peek('default', 'p0'), undefined);
    await backup.close();
  });

  it('answers a read that waits for a revision from the store that has it, not from the one before', async () => {
    const backup = new MemoryStore();
    const parts = await swappable();
    await putPod(store, 'default', 'lost');
    const start = await fill();
    for (let i = 0; i < 9; i++) await putPod(backup, 'default', `p${i}`);
    const waiting = cache.resource(pods).list({ ...all, at: { kind: 'notOlderThan', revision: start + 3 } });
    parts.active = backup;
    store.cut();
    const { objects, revision } = await waiting;
    assert.ok(revision >= start + 3);
    assert.equal(objects.length, 9);
    await backup.close();
  });

  it('says why it is not ready', async () => {
    assert.deepEqual(cache.problems(), []);
    for (const location of [pods, nodes]) cache.resource(location);
    store.unavailable = true;
    await assert.rejects(cache.warm([pods, nodes]), code('Unavailable'));
    assert.deepEqual(cache.problems().slice(-2), ['pods is not loaded yet', 'nodes is not loaded yet']);
    store.unavailable = false;
    await eventually(() => cache.revision > 0);
    await cache.warm([pods, nodes]);
    await touch(store);
    await eventually(() => cache.problems().length === 0);
    store.unavailable = true;
    store.cut();
    await eventually(() => cache.watchProblem()?.includes('has been broken') === true);
    assert.deepEqual(cache.problems(), []);
    store.unavailable = false;
    await eventually(() => cache.watchProblem() === undefined);
  });

  it('closes with watches open, at once and cleanly', async () => {
    await fill();
    const watching = readWatch(cache.resource(pods), { bookmarks: true });
    await eventually(() => cache.watches === 1);
    await cache.close();
    assert.equal(await watching.done, undefined);
  });
});
