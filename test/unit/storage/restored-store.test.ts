import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import type { ResourceCache } from '../../../src/storage/cache/resource-cache.ts';
import type { WatchCache } from '../../../src/storage/cache/watch-cache.ts';
import { guaranteedUpdate } from '../../../src/storage/objects/guaranteed-update.ts';
import { objectKey } from '../../../src/storage/port/object-key.ts';
import { progressWrites } from '../../../src/storage/port/progress-writes.ts';
import { eventually, newCache, nodes, pod, podKey, pods, prefix, put, putPod, readWatch, remove } from './fixture.ts';
import { code } from './fixture.ts';
import { RestorableStore, type Write } from './restorable-store.ts';

const everything = { namespace: '', at: { kind: 'latest' }, limit: 0 } as const;

/** Writes a pod; a pod that is there is updated, so its bytes are those of its labels alone. */
const created = (...names: readonly string[]): Write[] =>
  names.map((name) => (store) => putPod(store, 'default', name));
const labelled =
  (name: string, app: string): Write =>
  (store) =>
    putPod(store, 'default', name, { app });
const deleted =
  (name: string): Write =>
  (store) =>
    remove(store, podKey('default', name));
/** Another object at the same key: created again, it has another uid. */
const born =
  (name: string, uid: string): Write =>
  (store) =>
    put(store, podKey('default', name), { ...pod('default', name), metadata: { name, namespace: 'default', uid } });

/** What the server has seen, how much of it the copy has, and what another server writes to the copy. */
interface Restore {
  readonly what: string;
  readonly seen: readonly Write[];
  readonly kept: number;
  readonly written: readonly Write[];
}

const restores: readonly Restore[] = [
  { what: 'older', seen: created('a', 'b', 'c'), kept: 1, written: [] },
  {
    what: 'written past the old revision',
    seen: created('a', 'b', 'c'),
    kept: 1,
    written: created('d', 'e', 'f', 'g'),
  },
  { what: 'at the same revision', seen: created('a', 'b', 'c'), kept: 1, written: created('d', 'e') },
  {
    what: 'at the same revision, with the same last event',
    seen: [...created('a', 'b', 'c'), labelled('a', 'web')],
    kept: 1,
    written: [...created('d', 'e'), labelled('a', 'web')],
  },
  {
    what: 'past it, with the same last event',
    seen: [...created('a', 'b', 'c'), labelled('a', 'web')],
    kept: 1,
    written: [...created('d', 'e'), labelled('a', 'web'), ...created('f')],
  },
  {
    what: 'at the same revision, with the same deletion as the last event',
    seen: [...created('a', 'b', 'c'), deleted('a')],
    kept: 1,
    written: [...created('d', 'e'), deleted('a')],
  },
  {
    what: 'at the same revision, with another object at the same key',
    seen: [...created('a'), born('b', 'one')],
    kept: 1,
    written: [born('b', 'two')],
  },
];

describe('a watch cache whose store is restored while it is not connected', () => {
  let store: RestorableStore;
  let cache: WatchCache;
  let resource: ResourceCache;

  beforeEach(async () => {
    store = new RestorableStore();
    await store.write((inner) => putPod(inner, 'default', 'first'));
    cache = newCache(store, { silenceMs: 20, showTimeoutMs: 100, watchStartTimeoutMs: 10_000 });
    resource = cache.resource(pods);
  });
  afterEach(async () => {
    await cache.close();
    await store.close();
  });

  const names = async () => (await resource.list(everything)).objects.map(({ name }) => name);
  const truth = async () => {
    const found: string[] = [];
    for await (const { values } of store.inner.list(`${prefix}/pods/`)) {
      found.push(...values.map(({ key }) => key.slice(key.lastIndexOf('/') + 1)));
    }
    return found;
  };
  /** Fills the cache before it sees any event, then shows it some. */
  const see = async (writes: readonly Write[]): Promise<void> => {
    assert.deepEqual(await names(), ['first']);
    await eventually(() => cache.watchProblem() === undefined);
    for (const write of writes) await store.write(write);
    const { revision } = await store.status();
    await eventually(() => cache.revision >= revision);
  };

  for (const { what, seen, kept, written } of restores) {
    for (const streamsHang of [false, true]) {
      const how = streamsHang ? ', while its stream stays open' : '';
      it(`lists what is there when the data is ${what}${how}`, async () => {
        await see(seen);
        const watch = readWatch(resource, { start: { kind: 'now', at: { kind: 'any' } } });
        await eventually(() => watch.batches.length > 0);
        store.streamsHang = streamsHang;
        await store.restore(1 + kept, written);
        store.streamsHang = false;
        for (let i = 0; i < 20; i++) assert.deepEqual(await names(), await truth());
        assert.ok(code('Compacted')(await watch.done), 'watches end with 410');
        await eventually(() => resource.peek('default', 'first') !== undefined);
        const again = readWatch(resource, {
          start: { kind: 'state', at: { kind: 'latest' }, bookmarkAfterState: true },
        });
        await eventually(() => again.events.at(-1)?.type === 'BOOKMARK');
        const shown = again.events.flatMap((event) => (event.type === 'ADDED' ? event.object.name : []));
        assert.deepEqual(shown, await truth());
        await again.stop();
      });
    }
  }

  describe('that had filled a kind while its stream was broken', () => {
    const node =
      (name: string): Write =>
      (to) =>
        put(to, objectKey(prefix, nodes, '', name), { kind: 'Node', apiVersion: 'v1', metadata: { name, uid: name } });
    const listed = async () => (await cache.resource(nodes).list(everything)).objects.map(({ name }) => name);

    beforeEach(async () => {
      await see(created('a'));
      store.streamsRefused = true;
      store.cut();
    });

    it('forgets what was written after the last event that the stream had shown', async () => {
      await store.write(node('lost'));
      await store.write(node('lost-too'));
      assert.deepEqual(await listed(), ['lost', 'lost-too']);
      await store.restore(2, [node('written')]);
      store.streamsRefused = false;
      for (let i = 0; i < 20; i++) assert.deepEqual(await listed(), ['written']);
      await eventually(() => cache.watchProblem() === undefined && cache.objectsAt(nodes) > 0);
      for (let i = 0; i < 20; i++) assert.deepEqual(await listed(), ['written']);
    });

    it('keeps nothing of a store that was there for a while', async () => {
      await store.write(node('kept'));
      await store.restore(1, [node('passing')]);
      assert.deepEqual(await listed(), ['passing']);
      await store.restore(3, []);
      store.streamsRefused = false;
      for (let i = 0; i < 20; i++) assert.deepEqual(await listed(), ['kept']);
      await eventually(() => cache.watchProblem() === undefined && cache.objectsAt(nodes) > 0);
      for (let i = 0; i < 20; i++) assert.deepEqual(await listed(), ['kept']);
    });
  });

  it('fills from a store that does not name the sessions of lists', async () => {
    store.listsAnonymously = true;
    await see(created('a'));
    assert.deepEqual(await names(), ['a', 'first']);
    assert.equal(cache.objectsAt(pods), 2);
  });

  it('goes on where the history is the same, whatever was the last event', async () => {
    await see([...created('a', 'b'), labelled('a', 'web'), deleted('b')]);
    const watch = readWatch(resource, { start: { kind: 'now', at: { kind: 'any' } } });
    await eventually(() => watch.batches.length > 0);
    for (const more of ['c', 'd', 'e']) {
      store.reconnect();
      await store.write((inner) => putPod(inner, 'default', more));
      assert.deepEqual(await names(), await truth());
    }
    await watch.until(3);
    assert.deepEqual(
      watch.events.map((event) => event.type === 'ADDED' && event.object.name),
      ['c', 'd', 'e'],
    );
    assert.equal(cache.droppedEvents, 0);
    await watch.stop();
  });

  it('goes on after a stream broke before any event, over the same connections', async () => {
    await see([]);
    const watch = readWatch(resource, { start: { kind: 'now', at: { kind: 'any' } } });
    await eventually(() => watch.batches.length > 0);
    store.cut();
    await store.write((inner) => putPod(inner, 'default', 'a'));
    await watch.until(1);
    await watch.stop();
  });

  it('begins again where no event can tell the stores apart', async () => {
    await see([]);
    const watch = readWatch(resource, { start: { kind: 'now', at: { kind: 'any' } } });
    await eventually(() => watch.batches.length > 0);
    await store.restore(0, created('other', 'more'));
    for (let i = 0; i < 20; i++) assert.deepEqual(await names(), ['more', 'other']);
    assert.ok(code('Compacted')(await watch.done));
  });

  it('does not see a restored store as its own for events of other systems', async () => {
    await see(created('a'));
    // Another system shares the store: its writes raise the revision, and no event shows them.
    await store.write((inner) => inner.create('/other/1', Buffer.from('x')));
    await store.write((inner) => inner.create('/other/2', Buffer.from('x')));
    await names();
    const writes = [...created('b'), (inner: RestorableStore['inner']) => inner.create('/other/1', Buffer.from('x'))];
    const watch = readWatch(resource, { start: { kind: 'now', at: { kind: 'any' } } });
    await eventually(() => watch.batches.length > 0);
    await store.restore(2, writes);
    for (let i = 0; i < 20; i++) assert.deepEqual(await names(), await truth());
    assert.ok(code('Compacted')(await watch.done));
  });

  it('keeps what it compares short, by writes of its own', async () => {
    await see(created('a'));
    const size = 1_000_000;
    for (let i = 0; i < 8; i++) {
      await store.write((inner) =>
        put(inner, podKey('default', 'a'), pod('default', 'a', {}, { data: `${i}`.padEnd(size, 'x') })),
      );
    }
    const written = async () => (await store.inner.get(`${prefix}/~/progress`)).current?.revision ?? 0;
    let progress = 0;
    await eventually(() => {
      void written().then((revision) => (progress = revision));
      return progress > 0;
    });
  });

  it('does not overwrite another state at the same revision', async () => {
    await see([...created('a'), labelled('a', 'seen')]);
    const suggestion = resource.suggest('default', 'a');
    assert.ok(suggestion?.object);
    await store.restore(2, [labelled('a', 'restored')]);
    const seen: unknown[] = [];
    const outcome = await guaranteedUpdate({
      store,
      key: podKey('default', 'a'),
      context: { namespace: 'default', name: 'a' },
      suggestion,
      transform: (current) => {
        const value = current?.decode() ?? {};
        const metadata = value['metadata'] as JsonObject;
        seen.push(metadata['labels']);
        return { action: 'put', value: { ...value, spec: { changed: true } } };
      },
    });
    assert.deepEqual(seen, [{ app: 'seen' }, { app: 'restored' }]);
    assert.deepEqual(objectAt(outcome.object?.decode() ?? {}, 'metadata')['labels'], { app: 'restored' });
  });

  it('writes other bytes each time it makes progress', async () => {
    const write = progressWrites(store, prefix);
    const values = new Set<string>();
    for (let i = 0; i < 3; i++) {
      await write();
      values.add(Buffer.from((await store.get(`${prefix}/~/progress`)).current?.value ?? '').toString());
    }
    assert.equal(values.size, 3);
  });
});
