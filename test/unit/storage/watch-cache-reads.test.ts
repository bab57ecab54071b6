import assert from 'node:assert/strict';
import type { ObjectIndex } from '../../../src/storage/objects/cached-object.ts';
import { newDeferred } from '../../../src/async/deferred.ts';
import type { CacheListQuery, ReadAt } from '../../../src/storage/cache/resource-cache.ts';
import type { CacheSettings } from '../../../src/storage/cache/cache-settings.ts';
import type { WatchCache } from '../../../src/storage/cache/watch-cache.ts';
import {
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
  remove,
  touch,
} from './fixture.ts';

describe('reads from the watch cache', () => {
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

  const latest: ReadAt = { kind: 'latest' };
  const any: ReadAt = { kind: 'any' };
  const list = (query: Partial<CacheListQuery> = {}) =>
    cache.resource(pods).list({ namespace: '', at: latest, limit: 0, ...query });
  const names = async (query: Partial<CacheListQuery> = {}) => (await list(query)).objects.map(({ name }) => name);
  const get = async (name: string, at: ReadAt) =>
    (await cache.resource(pods).get('default', name, at)).object?.revision;
  const fill = () => list({ at: any });
  const renew = async (settings: Partial<CacheSettings>) => {
    await cache.close();
    cache = newCache(store, settings);
  };
  /** Holds the stream up, so that the cache falls behind; answers how to let it go on. */
  const holdUp = () => {
    const { promise, resolve } = newDeferred<void>();
    store.gate = promise;
    return resolve;
  };

  it('see every write that was finished before, when they ask for the latest', async () => {
    await fill();
    for (let i = 0; i < 50; i++) {
      const revision = await putPod(store, 'default', 'x', { n: String(i) });
      assert.equal(await get('x', latest), revision);
      const { objects, revision: listed } = await list();
      assert.equal(objects[0]?.revision, revision);
      assert.ok(listed >= revision);
    }
    await remove(store, podKey('default', 'x'));
    assert.equal(await get('x', latest), undefined);
    assert.deepEqual(await names(), []);
  });

  it('cost no read of the store but its revision', async () => {
    await putPod(store, 'default', 'x');
    await fill();
    store.counts.get = 0;
    store.counts.list = 0;
    await get('x', latest);
    await list();
    await list({ at: any });
    assert.equal(store.counts.get + store.counts.list, 0);
  });

  it('share one reading of the revision, but never one that began before them', async () => {
    const revision = await putPod(store, 'default', 'x');
    await fill();
    store.counts.status = 0;
    const { promise, resolve: release } = newDeferred<void>();
    store.statusGate = promise;
    const early = [get('x', latest), get('x', latest), get('x', latest)];
    await eventually(() => store.counts.status === 1);
    // The call under way has read already; a write now must be seen by whoever comes now.
    const newer = await putPod(store, 'default', 'x', { n: '2' });
    const late = [get('x', latest), get('x', latest)];
    await pause(5);
    assert.equal(store.counts.status, 1);
    release();
    for (const seen of await Promise.all(early)) assert.ok((seen ?? 0) >= revision);
    assert.deepEqual(await Promise.all(late), [newer, newer]);
    assert.equal(store.counts.status, 2);
  });

  it('go to the store when the cache lags', async () => {
    await putPod(store, 'default', 'x');
    await fill();
    const release = holdUp();
    const revision = await putPod(store, 'default', 'y');
    assert.equal(await get('y', latest), revision);
    assert.deepEqual(await names(), ['x', 'y']);
    assert.deepEqual(await names({ at: any }), ['x']);
    assert.deepEqual(await names({ filter: (index) => index.fields.get('metadata.name') === 'y' }), ['y']);
    assert.deepEqual(await names({ namespace: 'default', name: 'y' }), ['y']);
    assert.deepEqual(await names({ name: 'y' }), ['y']);
    const page = await list({ limit: 1 });
    assert.deepEqual([page.objects.length, page.lastKey, page.remaining], [1, podKey('default', 'x'), 1]);
    release();
  });

  it('answer at once from memory when any state will do', async () => {
    await putPod(store, 'default', 'x');
    await fill();
    store.unavailable = true;
    store.cut();
    await pause(5);
    assert.deepEqual(await names({ at: any }), ['x']);
    assert.ok(await get('x', any));
    await assert.rejects(get('x', latest), code('Unavailable'));
  });

  it('wait for a revision, and say when it does not come', async () => {
    await fill();
    const release = holdUp();
    const revision = await putPod(store, 'default', 'x');
    const waiting = get('x', notOlderThan(revision));
    setTimeout(release, 20);
    assert.equal(await waiting, revision);
    await assert.rejects(get('x', notOlderThan(revision + 1)), code('FutureRevision'));
    await assert.rejects(list({ at: notOlderThan(revision + 1) }), code('FutureRevision'));
    await assert.rejects(list({ at: exact(revision + 1) }), code('FutureRevision'));
    await assert.rejects(get('x', exact(revision + 1)), code('FutureRevision'));
  });

  it('find any past revision in memory', async () => {
    await fill();
    const states: { readonly revision: number; readonly names: string[] }[] = [];
    for (let i = 0; i < 20; i++) {
      const revision =
        i % 5 === 4 ? await remove(store, podKey('default', `p${i - 2}`)) : await putPod(store, 'default', `p${i}`);
      states.push({ revision, names: await names() });
    }
    store.counts.list = 0;
    for (const state of [...states, ...states.toReversed()]) {
      const found = await list({ at: exact(state.revision) });
      assert.equal(found.revision, state.revision);
      assert.deepEqual(
        found.objects.map(({ name }) => name),
        state.names,
      );
    }
    assert.equal(await get('p2', exact(states[2]?.revision ?? 0)), states[2]?.revision);
    assert.equal(await get('p2', exact(states[4]?.revision ?? 0)), undefined);
    assert.equal(store.counts.list, 0);
  });

  it('find a revision before the memory of the cache in the store, until it is compacted', async () => {
    const first = await putPod(store, 'default', 'x', { n: '1' });
    const second = await putPod(store, 'default', 'x', { n: '2' });
    await putPod(store, 'default', 'y');
    await fill();
    assert.deepEqual(await names({ at: exact(second) }), ['x']);
    assert.equal(await get('x', exact(first)), first);
    await store.compact(second);
    await assert.rejects(get('x', exact(first)), code('Compacted'));
    await assert.rejects(list({ at: exact(first) }), code('Compacted'));
    const now = await list();
    await store.compact(now.revision);
    await touch(store);
    assert.deepEqual(await names({ at: exact(now.revision) }), ['x', 'y']);
  });

  it('forget history that is over its bounds, and find it in the store', async () => {
    await renew({ history: { historyMs: 60_000, bytes: 1 << 20, events: 3 } });
    await fill();
    const revisions: number[] = [];
    for (let i = 0; i < 10; i++) revisions.push(await putPod(store, 'default', 'x', { n: String(i) }));
    await list();
    store.counts.get = 0;
    for (const revision of revisions) assert.equal(await get('x', exact(revision)), revision);
    assert.ok(store.counts.get >= 6 && store.counts.get <= 7, `${store.counts.get} reads of the store`);
  });

  it('page through one state, whatever changes between the pages', async () => {
    for (let i = 10; i < 30; i++) await putPod(store, i % 2 ? 'odd' : 'even', `p${i}`);
    const all = await names();
    const seen: string[] = [];
    let page = await list({ limit: 3 });
    const { revision } = page;
    for (;;) {
      seen.push(...page.objects.map(({ name }) => name));
      assert.equal(page.revision, revision);
      if (page.lastKey === undefined) break;
      assert.equal(page.remaining, all.length - seen.length);
      await remove(store, podKey(seen.length % 2 ? 'odd' : 'even', seen.length % 2 ? 'p29' : 'p28')).catch(
        () => undefined,
      );
      await putPod(store, 'even', `q${seen.length}`);
      page = await list({ limit: 3, at: exact(revision), afterKey: page.lastKey });
    }
    assert.deepEqual(seen, all);
    assert.equal(page.remaining, undefined);
  });

  it('fill a page with what a selector selects, and offer more only where there is more', async () => {
    for (let i = 10; i < 40; i++) await putPod(store, 'default', `p${i}`, i % 3 === 0 ? { app: 'a' } : {});
    const filter = selectsA;
    const all = await names({ filter });
    assert.equal(all.length, 10);
    const first = await list({ filter, limit: 4 });
    assert.equal(first.objects.length, 4);
    assert.equal(first.remaining, undefined);
    const rest = await list({ filter, limit: 6, at: exact(first.revision), ...after(first.lastKey) });
    assert.equal(rest.objects.length, 6);
    assert.equal(rest.lastKey, undefined);
  });

  it('keep to the namespace and the name', async () => {
    await putPod(store, 'a', 'x');
    await putPod(store, 'a', 'y');
    await putPod(store, 'a-b', 'x');
    await putPod(store, 'b', 'x');
    assert.deepEqual(await names({ namespace: 'a' }), ['x', 'y']);
    assert.deepEqual(await names({ namespace: 'a', name: 'x' }), ['x']);
    assert.deepEqual(await names({ name: 'x' }), ['x', 'x', 'x']);
    assert.deepEqual(await names({ namespace: 'a', name: '../b/x' }), []);
    const keys = (await list()).objects.map(({ key }) => key);
    assert.deepEqual(keys, ['/registry/pods/a-b/x', '/registry/pods/a/x', '/registry/pods/a/y', '/registry/pods/b/x']);
  });

  it('do not wait for a cold resource when one object is asked for', async () => {
    const revision = await putPod(store, 'default', 'x');
    assert.equal(await get('x', latest), revision);
    assert.equal(store.counts.get > 0, true);
    await eventually(() => cache.resource(pods).peek('default', 'x') !== undefined);
    assert.equal(cache.resource(pods).peek('default', 'x')?.revision, revision);
  });

  it('fill a resource once, on first use, and without the others', async () => {
    await putPod(store, 'default', 'x');
    await Promise.all([fill(), fill(), list(), cache.resource(pods).list({ namespace: 'default', at: any, limit: 1 })]);
    assert.equal(store.counts.list, 1);
    await cache.resource(nodes).list({ namespace: '', at: any, limit: 0 });
    assert.equal(store.counts.list, 2);
    assert.equal(store.counts.watch, 1);
  });

  it('miss no write that happens while the resource is being filled', async () => {
    for (let i = 0; i < 600; i++) await putPod(store, 'default', `p${i}`);
    const { promise, resolve: release } = newDeferred<void>();
    store.listGate = promise;
    const filling = fill();
    await eventually(() => store.counts.list === 1);
    for (let i = 0; i < 300; i++) {
      if (i % 3) await putPod(store, 'default', `p${i}`, { n: 'new' });
      else await remove(store, podKey('default', `p${i}`));
    }
    await pause(5);
    release();
    await filling;
    const { objects, revision } = await list();
    const direct: string[] = [];
    for await (const page of store.list('/registry/pods/', { revision })) {
      direct.push(...page.values.map((value) => `${value.key} ${value.revision}`));
    }
    assert.deepEqual(
      objects.map((object) => `${object.key} ${object.revision}`),
      direct,
    );
  });

  it('advance with the changes of other resources', async () => {
    await fill();
    const revision = await touch(store);
    assert.ok((await list({ at: notOlderThan(revision) })).revision >= revision);
  });

  it('show a value that cannot be read to none but who asks for it', async () => {
    await putPod(store, 'default', 'good');
    await putPod(store, 'default', 'x');
    await fill();
    await putBytes(store, podKey('default', 'x'), Buffer.from('junk'));
    assert.deepEqual(await names(), ['good']);
    await assert.rejects(get('x', latest), code('Corrupt'));
    await putPod(store, 'default', 'x');
    assert.deepEqual(await names(), ['good', 'x']);
    await putBytes(store, podKey('default', 'y'), Buffer.from('junk'));
    await cache.close();
    const logged: unknown[] = [];
    cache = newCache(store, {}, (message, { key }) => logged.push([message, key]));
    assert.deepEqual(await names(), ['good', 'x']);
    assert.deepEqual(logged, [
      ['a stored value cannot be read; lists and watches leave it out', podKey('default', 'y')],
    ]);
  });

  it('end with their request', async () => {
    await fill();
    holdUp();
    const revision = await putPod(store, 'default', 'x');
    const stop = new AbortController();
    const waiting = cache.resource(pods).get('default', 'x', notOlderThan(revision), stop.signal);
    stop.abort();
    await assert.rejects(waiting, code('Cancelled'));
  });

  it('leave no failure behind when their request ended before they began', async () => {
    store.unavailable = true;
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    const query = { namespace: '', at: latest, limit: 0 };
    await assert.rejects(cache.resource(pods).list(query, AbortSignal.abort()), code('Cancelled'));
    await pause(200);
    process.off('unhandledRejection', note);
    assert.deepEqual(unhandled, []);
  });

  it('refuse names that are no key', async () => {
    await assert.rejects(get('../x', latest), code('InvalidArgument'));
    await assert.rejects(list({ namespace: '..' }), code('InvalidArgument'));
  });
});

function exact(revision: number): ReadAt {
  return { kind: 'exact', revision };
}

function notOlderThan(revision: number): ReadAt {
  return { kind: 'notOlderThan', revision };
}

function selectsA(index: ObjectIndex): boolean {
  return index.labels.get('app') === 'a';
}

function after(afterKey: string | undefined): { readonly afterKey?: string } {
  return afterKey === undefined ? {} : { afterKey };
}
