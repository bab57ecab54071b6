import assert from 'node:assert/strict';
import { newDeferred } from '../../../src/async/deferred.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import type { ObjectStore } from '../../../src/storage/port/object-store.ts';
import { encodeStoredObject } from '../../../src/storage/objects/stored-object.ts';
import { WatchCache } from '../../../src/storage/cache/watch-cache.ts';

const location = { group: '', resource: 'configmaps' };
const latest = { kind: 'latest' } as const;
const everything = { namespace: '', at: latest, limit: 0 };

/** A store whose lists wait until they are let go. */
function held(store: ObjectStore): { readonly store: ObjectStore; readonly letGo: () => void } {
  const { promise, resolve } = newDeferred<void>();
  const slow = new Proxy(store, {
    get(target, property) {
      if (property !== 'list') return Reflect.get(target, property).bind(target);
      return async function* list(...given: Parameters<ObjectStore['list']>) {
        await promise;
        yield* target.list(...given);
      };
    },
  });
  return { store: slow, letGo: () => resolve() };
}

describe('a resource that is removed from the watch cache', () => {
  let memory: MemoryStore;
  let letGo: () => void;
  let caches: WatchCache;
  const put = async (name: string): Promise<void> => {
    const metadata = { name, namespace: 'ns', uid: name };
    const value = encodeStoredObject({ kind: 'ConfigMap', apiVersion: 'v1', metadata });
    await memory.create(`/registry/configmaps/ns/${name}`, value);
  };
  beforeEach(() => {
    memory = new MemoryStore();
    const slow = held(memory);
    ({ letGo } = slow);
    caches = new WatchCache({ store: slow.store, prefix: '/registry' });
  });
  afterEach(async () => {
    letGo();
    await caches.close();
    await memory.close();
  });

  it('while it is filled, answers those who wait from the store, and is not filled', async () => {
    await put('a');
    const cache = caches.resource(location);
    const lists = [cache.list(everything), cache.list({ ...everything, at: { kind: 'any' } })];
    const watch = cache.watch(
      {
        namespace: '',
        start: { kind: 'state', at: latest, bookmarkAfterState: false },
        bookmarks: false,
        timeoutMs: 0,
      },
      new AbortController().signal,
    );
    const opening = watch[Symbol.asyncIterator]()
      .next()
      .catch((error: unknown) => error);
    caches.remove(location);
    letGo();
    for (const { objects } of await Promise.all(lists))
      assert.deepEqual(
        objects.map(({ name }) => name),
        ['a'],
      );
    await opening;
    assert.equal(cache.peek('ns', 'a'), undefined);
    await put('b');
    const { objects } = await cache.list(everything);
    assert.deepEqual(
      objects.map(({ name }) => name),
      ['a', 'b'],
    );
  });

  it('ends new watches at once, and sends its followers no more events', async () => {
    letGo();
    const cache = caches.resource(location);
    const heard: string[] = [];
    cache.follow({ replace: () => undefined, change: (key) => void heard.push(key) });
    await cache.list(everything);
    await put('a');
    await cache.list(everything);
    caches.remove(location);
    await put('b');
    await caches.resource(location).list(everything);
    assert.deepEqual(heard, ['/registry/configmaps/ns/a']);
    const query = { namespace: '', start: { kind: 'now', at: latest }, bookmarks: false, timeoutMs: 0 } as const;
    const events = cache.watch(query, new AbortController().signal);
    assert.deepEqual(await events[Symbol.asyncIterator]().next(), { done: true, value: undefined });
    assert.deepEqual(
      caches.counts().map(({ objects }) => objects),
      [2],
    );
  });
});
