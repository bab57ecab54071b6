import assert from 'node:assert/strict';
import type { ObjectIndex } from '../../../src/storage/objects/cached-object.ts';
import { newDeferred } from '../../../src/async/deferred.ts';
import { objectKey } from '../../../src/storage/port/object-key.ts';
import type { CacheEvent, CacheWatchQuery } from '../../../src/storage/cache/resource-cache.ts';
import type { CacheSettings } from '../../../src/storage/cache/cache-settings.ts';
import type { WatchCache } from '../../../src/storage/cache/watch-cache.ts';
import {
  after,
  code,
  eventually,
  FaultyStore,
  newCache,
  nodes,
  pause,
  pod,
  podKey,
  pods,
  prefix,
  put,
  putPod,
  readWatch,
  remove,
  describeEvents,
  touch,
} from './fixture.ts';

describe('watches of the watch cache', () => {
  let store: FaultyStore;
  let cache: WatchCache;
  beforeEach(() => {
    store = new FaultyStore();
    cache = newCache(store);
  });
  afterEach(async () => {
    await cache.close();
    await store.close();
    assert.equal(cache.watches, 0);
  });

  const watch = (query: Partial<CacheWatchQuery> = {}) => readWatch(cache.resource(pods), query);
  const fill = async () =>
    (await cache.resource(pods).list({ namespace: '', at: { kind: 'latest' }, limit: 0 })).revision;
  const renew = async (settings: Partial<CacheSettings>) => {
    await cache.close();
    cache = newCache(store, settings);
  };

  it('tell additions, changes and deletions, the last with the state before and the revision of the event', async () => {
    const start = await fill();
    const watching = watch(after(start));
    const created = await putPod(store, 'default', 'x', { n: '1' });
    const changed = await putPod(store, 'default', 'x', { n: '2' });
    const removed = await remove(store, podKey('default', 'x'));
    await watching.until(3);
    assert.deepEqual(describeEvents(watching.events), [
      `ADDED x ${created}`,
      `MODIFIED x ${changed}`,
      `DELETED x ${removed}`,
    ]);
    const last = watching.events[2];
    assert.ok(last?.type === 'DELETED');
    assert.ok(last.object.json.includes(`"resourceVersion":"${removed}"`));
    assert.equal(last.object.index().labels.get('n'), '2');
    assert.equal(await watching.stop(), undefined);
  });

  it('begin with the state, in key order, and go on from exactly there', async () => {
    const b = await putPod(store, 'default', 'b');
    const a = await putPod(store, 'default', 'a');
    const watching = watch(state({ bookmarkAfterState: true }));
    await watching.until(3);
    const c = await putPod(store, 'default', 'c');
    await watching.until(4);
    assert.deepEqual(describeEvents(watching.events), [`ADDED a ${a}`, `ADDED b ${b}`, 'BOOKMARK end', `ADDED c ${c}`]);
    assert.deepEqual(watching.events[2], { type: 'BOOKMARK', revision: a, initialEventsEnd: true });
    await watching.stop();
  });

  it('begin with a state at least as new as asked, or with none', async () => {
    await fill();
    const revision = await putPod(store, 'default', 'x');
    const watching = watch(state({ at: { kind: 'notOlderThan', revision } }));
    await watching.until(1);
    assert.deepEqual(describeEvents(watching.events), [`ADDED x ${revision}`]);
    await watching.stop();
    assert.ok(
      code('FutureRevision')(await watch(state({ at: { kind: 'notOlderThan', revision: revision + 1 } })).done),
    );
  });

  it('look at one namespace, one name, or both', async () => {
    const start = await fill();
    const queries: [Partial<CacheWatchQuery>, string[]][] = [
      [{}, ['a/x', 'a/y', 'b/x']],
      [{ namespace: 'a' }, ['a/x', 'a/y']],
      [{ name: 'x' }, ['a/x', 'b/x']],
      [{ namespace: 'b', name: 'x' }, ['b/x']],
      [{ namespace: 'c' }, []],
    ];
    const watches = queries.map(([query]) => watch({ ...query, ...after(start) }));
    for (const place of ['a/x', 'a/y', 'b/x'] as const) {
      const [namespace = '', name = ''] = place.split('/');
      await putPod(store, namespace, name);
    }
    await Promise.all(watches.map((each, i) => each.until(queries[i]?.[1].length ?? 0)));
    for (const [i, [, places]] of queries.entries()) {
      assert.deepEqual(watches[i]?.events.map(placeOf), places);
    }
    const states = queries.map(([query]) => watch({ ...query, ...state() }));
    await Promise.all(states.map((each, i) => each.until(queries[i]?.[1].length ?? 0)));
    for (const [i, [, places]] of queries.entries()) assert.deepEqual(states[i]?.events.map(placeOf), places);
    await Promise.all([...watches, ...states].map((each) => each.stop()));
  });

  it('see objects without a namespace once', async () => {
    const resource = cache.resource(nodes);
    const { revision } = await resource.list({ namespace: '', at: { kind: 'latest' }, limit: 0 });
    const all = readWatch(resource, after(revision));
    const one = readWatch(resource, { ...after(revision), name: 'n' });
    await put(store, '/registry/nodes/n', { kind: 'Node', apiVersion: 'v1', metadata: { name: 'n' } });
    await Promise.all([all.until(1), one.until(1)]);
    assert.deepEqual([all.events.length, one.events.length], [1, 1]);
    assert.equal(all.events[0], one.events[0], 'the event is shared');
    await Promise.all([all.stop(), one.stop()]);
  });

  it('resume from a revision that the cache remembers', async () => {
    const start = await fill();
    const revisions: number[] = [];
    for (let i = 0; i < 10; i++) revisions.push(await putPod(store, 'default', `p${i}`));
    await fill();
    store.counts.watch = 0;
    const watching = watch(after(revisions[4] ?? start));
    await watching.until(5);
    assert.deepEqual(
      describeEvents(watching.events),
      revisions.slice(5).map((revision, i) => `ADDED p${i + 5} ${revision}`),
    );
    assert.equal(store.counts.watch, 0);
    await watching.stop();
  });

  it('resume from a revision before the cache was filled, out of the history of the store', async () => {
    const first = await putPod(store, 'default', 'x', { n: '1' });
    const second = await putPod(store, 'default', 'x', { n: '2' });
    const third = await remove(store, podKey('default', 'x'));
    await touch(store);
    const watching = watch(after(first));
    await watching.until(2);
    const fourth = await putPod(store, 'default', 'y');
    await watching.until(3);
    assert.deepEqual(describeEvents(watching.events), [
      `MODIFIED x ${second}`,
      `DELETED x ${third}`,
      `ADDED y ${fourth}`,
    ]);
    await watching.stop();
  });

  it('fail at the start when their history was compacted', async () => {
    const first = await putPod(store, 'default', 'x', { n: '1' });
    const second = await putPod(store, 'default', 'x', { n: '2' });
    await store.compact(second);
    assert.ok(code('Compacted')(await watch(after(first)).done));
  });

  it('do not guess when history is compacted while it is read', async () => {
    const first = await putPod(store, 'default', 'x', { n: '1' });
    await putPod(store, 'default', 'x', { n: '2' });
    await fill();
    const { promise, resolve: release } = newDeferred<void>();
    store.gate = promise;
    const watching = watch(after(first));
    await eventually(() => store.counts.watch >= 2);
    store.forgetful = true;
    await store.compact(await putPod(store.inner, 'default', 'x', { n: '3' }));
    release();
    assert.ok(code('Compacted')(await watching.done));
    assert.deepEqual(watching.events, []);
  });

  it('share one reading of the history of the store when many resume at once', async () => {
    const first = await putPod(store, 'default', 'x', { n: '0' });
    const revisions = [first];
    for (let i = 1; i <= 50; i++) revisions.push(await putPod(store, 'default', 'x', { n: String(i) }));
    await fill();
    store.counts.watch = 0;
    const watches = revisions.map((revision) => watch(after(revision)));
    await watches[0]?.until(50);
    for (const [i, each] of watches.entries()) {
      await each.until(50 - i);
      assert.deepEqual(
        describeEvents(each.events),
        revisions.slice(i + 1).map((revision) => `MODIFIED x ${revision}`),
      );
    }
    assert.ok(store.counts.watch <= 2, `${store.counts.watch} watches on the store`);
    await Promise.all(watches.map((each) => each.stop()));
  });

  it('do not lose the shared reading where one resumes from what the store has compacted', async () => {
    const first = await putPod(store, 'default', 'x', { n: '0' });
    const revisions: number[] = [];
    for (let i = 1; i <= 20; i++) revisions.push(await putPod(store, 'default', 'x', { n: String(i) }));
    await store.compact(revisions[4] ?? 0);
    await fill();
    store.counts.watch = 0;
    const late = watch(after(first));
    const watches = Array.from({ length: 200 }, (_, i) => watch(after(revisions[5 + (i % 5)] ?? 0)));
    assert.ok(code('Compacted')(await late.done));
    for (const [i, each] of watches.entries()) await each.until(14 - (i % 5));
    assert.ok(store.counts.watch <= 2, `${store.counts.watch} watches on the store`);
    const later = watch(after(first));
    assert.ok(code('Compacted')(await later.done));
    assert.ok(store.counts.watch <= 2, `${store.counts.watch} watches on the store`);
    await Promise.all(watches.map((each) => each.stop()));
  });

  it('share one reading of the history of the store with the watches of other resources', async () => {
    const locations = ['pods', 'nodes', 'secrets', 'events'].map((resource) => ({ group: '', resource }));
    const start = await touch(store);
    const made = await Promise.all(
      locations.map((location) =>
        put(store, objectKey(prefix, location, 'default', 'x'), pod('default', location.resource)),
      ),
    );
    await Promise.all(
      locations.map((location) => cache.resource(location).list({ namespace: '', at: { kind: 'latest' }, limit: 0 })),
    );
    await eventually(() => cache.revision >= Math.max(...made));
    store.counts.watch = 0;
    const watches = locations.map((location) => readWatch(cache.resource(location), after(start)));
    for (const [i, each] of watches.entries()) {
      await each.until(1);
      assert.deepEqual(describeEvents(each.events), [`ADDED x ${made[i]}`]);
    }
    assert.equal(store.counts.watch, 1);
    await Promise.all(watches.map((each) => each.stop()));
  });

  it('read the history of the store for themselves where the cache cannot hold it, a few at a time', async () => {
    await renew({ history: { historyMs: 1e6, bytes: 1e6, events: 10 }, watchStartTimeoutMs: 100 });
    const first = await putPod(store, 'default', 'x', { n: '0' });
    for (let i = 1; i <= 50; i++) await putPod(store, 'default', 'x', { n: String(i) });
    await fill();
    const { promise, resolve: release } = newDeferred<void>();
    // What extends the cache's history finds no room.
    const early = watch(after(first));
    await early.until(50);
    store.gate = promise;
    store.counts.watch = 0;
    const watches = Array.from({ length: 100 }, () => watch(after(first)));
    await eventually(() => store.counts.watch === 16);
    const refused = await Promise.all(watches.slice(16).map(({ done }) => done));
    assert.ok(refused.every(code('Compacted')), 'they list anew');
    release();
    await Promise.all(watches.slice(0, 16).map((each) => each.until(50)));
    const again = watch(after(first));
    await again.until(50);
    assert.equal(store.counts.watch, 17);
    await Promise.all([early, again, ...watches].map((each) => each.stop()));
  });

  it('let others have their turn while they look through what they missed', async () => {
    const first = await fill();
    for (let i = 0; i < 5_000; i++) await putPod(store, 'default', `x${i}`);
    await cache.resource(pods).list({ namespace: '', at: { kind: 'latest' }, limit: 0 });
    let turns = 0;
    let timer = setImmediate(function count() {
      turns++;
      timer = setImmediate(count);
    });
    const watching = watch({ ...after(first), filter: (index) => index.fields.get('metadata.name') === 'x4999' });
    await watching.until(1);
    clearImmediate(timer);
    assert.ok(turns >= 9, `${turns} turns`);
    await watching.stop();
  });

  it('begin now, without the state, when that is asked for', async () => {
    await putPod(store, 'default', 'x');
    const latest = watch({ start: { kind: 'now', at: { kind: 'latest' } } });
    const any = watch({ start: { kind: 'now', at: { kind: 'any' } } });
    await eventually(() => cache.watches === 2);
    const changed = await putPod(store, 'default', 'x', { n: '1' });
    for (const watching of [latest, any]) {
      await watching.until(1);
      assert.deepEqual(describeEvents(watching.events), [`MODIFIED x ${changed}`]);
      await watching.stop();
    }
  });

  it('say that they have begun before anything happens', async () => {
    const start = await fill();
    const watching = watch(after(start));
    await eventually(() => watching.batches.length === 1);
    assert.deepEqual(watching.batches, [[]]);
    await watching.stop();
  });

  it('wait if they begin in the future, and deliver no earlier events', async () => {
    const start = await fill();
    const watching = watch({ ...after(start + 2), bookmarks: true });
    await eventually(() => cache.watches === 1);
    await putPod(store, 'default', 'x');
    await putPod(store, 'default', 'y');
    const third = await putPod(store, 'default', 'z');
    await watching.until(1);
    assert.deepEqual(describeEvents(watching.events), [`ADDED z ${third}`]);
    await watching.stop();
  });

  it('tell of objects that enter and leave a selection', async () => {
    const start = await fill();
    const watching = watch({ ...after(start), filter: selectsA });
    await putPod(store, 'default', 'x', { app: 'b' });
    const enters = await putPod(store, 'default', 'x', { app: 'a', n: '1' });
    const stays = await putPod(store, 'default', 'x', { app: 'a', n: '2' });
    const leaves = await putPod(store, 'default', 'x', { app: 'b' });
    await remove(store, podKey('default', 'x'));
    const again = await putPod(store, 'default', 'x', { app: 'a' });
    await watching.until(4);
    assert.deepEqual(describeEvents(watching.events), [
      `ADDED x ${enters}`,
      `MODIFIED x ${stays}`,
      `DELETED x ${leaves}`,
      `ADDED x ${again}`,
    ]);
    const left = watching.events[2];
    assert.ok(left?.type === 'DELETED');
    assert.equal(left.object.index().labels.get('n'), '2');
    await watching.stop();
  });

  it('fail alone when their filter fails', async () => {
    const start = await fill();
    const failing = watch({ ...after(start), filter: broken });
    const sound = watch(after(start));
    await eventually(() => cache.watches === 2);
    await putPod(store, 'default', 'x');
    await putPod(store, 'default', 'y');
    await sound.until(2);
    assert.match(String(await failing.done), /broken filter/);
    assert.equal(sound.events.length, 2);
    await sound.stop();
  });

  it('get the events of one tick in one batch', async () => {
    const start = await fill();
    const watching = watch(after(start));
    await eventually(() => cache.watches === 1);
    await Promise.all(Array.from({ length: 20 }, (_, i) => putPod(store, 'default', `p${i}`)));
    await watching.until(20);
    assert.ok(watching.batches.length <= 3, `${watching.batches.length} batches`);
    await watching.stop();
  });

  it('end promptly and leave nothing behind', async () => {
    await fill();
    const watches = Array.from({ length: 50 }, () => watch({ ...state(), bookmarks: true }));
    await eventually(() => cache.watches === 50);
    for (const each of watches) assert.equal(await each.stop(), undefined);
    assert.equal(cache.watches, 0);
  });

  it('end even when nobody reads them', async () => {
    const start = await fill();
    const stop = new AbortController();
    const query = { namespace: '', ...after(start), bookmarks: false, timeoutMs: 60_000 };
    const iterator = cache.resource(pods).watch(query, stop.signal)[Symbol.asyncIterator]();
    const first = iterator.next();
    await putPod(store, 'default', 'x');
    await first;
    assert.equal(cache.watches, 1);
    stop.abort();
    assert.equal(cache.watches, 0);
    assert.equal((await iterator.next()).done, true);
  });

  it('are cut off when their reader falls behind, and resume without a gap', async () => {
    await renew({ watchBudgetBytes: 3_000 });
    const start = await fill();
    const stop = new AbortController();
    const query = { namespace: '', ...after(start), bookmarks: false, timeoutMs: 60_000 };
    const seen: CacheEvent[] = [];
    const iterator = cache.resource(pods).watch(query, stop.signal)[Symbol.asyncIterator]();
    assert.deepEqual((await iterator.next()).value, [], 'it has begun');
    const first = iterator.next();
    await putPod(store, 'default', 'x');
    seen.push(...((await first).value ?? []));
    for (let i = 0; i < 30; i++) await putPod(store, 'default', `p${i}`);
    await fill();
    assert.equal(cache.watches, 0, 'the slow reader is gone');
    assert.equal((await iterator.next()).done, true);
    const rest = watch(after(revisionOf(seen.at(-1))));
    await rest.until(30);
    assert.equal(rest.events.length, 30);
    await rest.stop();
  });

  it('get bookmarks when they ask, and never early', async () => {
    await renew({ bookmarkIntervalMs: 10, timerStepMs: 1 });
    const start = await fill();
    const watching = watch({ ...after(start), bookmarks: true });
    const without = watch(after(start));
    for (let i = 0; i < 100; i++) {
      await putPod(store, 'default', `p${i}`);
      if (i % 10 === 0) await touch(store);
      if (i % 5 === 0) await pause(1);
    }
    await without.until(100);
    const revision = await touch(store);
    await eventually(() => watching.events.some((event) => event.type === 'BOOKMARK' && event.revision >= revision));
    const { events } = watching;
    assert.equal(events.filter((event) => event.type !== 'BOOKMARK').length, 100);
    assert.ok(!without.events.some((event) => event.type === 'BOOKMARK'));
    for (let i = 1; i < events.length; i++) assert.ok(revisionOf(events[i]) >= revisionOf(events[i - 1]), 'in order');
    for (const [i, event] of events.entries()) {
      if (event.type !== 'BOOKMARK') continue;
      assert.ok(!events.slice(i + 1).some((later) => later.type !== 'BOOKMARK' && revisionOf(later) <= event.revision));
    }
    await Promise.all([watching.stop(), without.stop()]);
  });

  it('get no bookmark of before the future revision where they begin', async () => {
    await renew({ bookmarkIntervalMs: 5, timerStepMs: 1 });
    const start = await fill();
    const future = watch({ ...after(start + 3), bookmarks: true });
    const present = watch({ ...after(start), bookmarks: true });
    await present.until(10);
    assert.deepEqual(future.events, []);
    for (const name of ['x', 'y', 'z']) await putPod(store, 'default', name);
    await eventually(() => future.events.length > 0);
    assert.ok(future.events.every((event) => revisionOf(event) >= start + 3));
    await Promise.all([future.stop(), present.stop()]);
  });

  it('get a bookmark shortly before they are ended', async () => {
    const start = await fill();
    const watching = watch({ ...after(start), bookmarks: true, timeoutMs: 2_030 });
    const revision = await touch(store);
    await watching.until(1);
    assert.deepEqual(watching.events, [{ type: 'BOOKMARK', revision, initialEventsEnd: false }]);
    await watching.stop();
  });
});

/** A start with the state. */
function state(more: object = {}): Pick<CacheWatchQuery, 'start'> {
  return { start: { kind: 'state', at: { kind: 'latest' }, bookmarkAfterState: false, ...more } };
}

function selectsA(index: ObjectIndex): boolean {
  return index.labels.get('app') === 'a';
}

function broken(): boolean {
  throw new TypeError('broken filter');
}

function placeOf(event: CacheEvent): string {
  return event.type === 'BOOKMARK' ? '' : `${event.object.namespace}/${event.object.name}`;
}

function revisionOf(event: CacheEvent | undefined): number {
  if (!event) return 0;
  return event.type === 'BOOKMARK' ? event.revision : event.object.revision;
}
