import assert from 'node:assert/strict';
import { newDeferred } from '../../../src/async/deferred.ts';
import { encodeStoredObject } from '../../../src/storage/objects/stored-object.ts';
import type { WatchCache } from '../../../src/storage/cache/watch-cache.ts';
import { eventually, FaultyStore, newCache, pod, podKey, pods } from './fixture.ts';

describe('an own write', () => {
  const key = podKey('default', 'x');
  const encoded = (n: string): Buffer => encodeStoredObject(pod('default', 'x', { n }));
  let store: FaultyStore;
  let cache: WatchCache;
  beforeEach(async () => {
    store = new FaultyStore();
    cache = newCache(store);
    await resource().list({ namespace: '', at: { kind: 'any' }, limit: 0 });
  });
  afterEach(async () => {
    await cache.close();
    await store.close();
  });

  const resource = () => cache.resource(pods);
  const peeked = () => resource().peek('default', 'x');
  const label = () => peeked()?.index().labels.get('n');

  it('whose event comes later is the object that the cache holds then', async () => {
    const { promise, resolve } = newDeferred<void>();
    store.gate = promise;
    const value = encoded('1');
    const { revision } = await store.create(key, value);
    const written = resource().written({ key, value, revision });
    assert.equal(peeked(), undefined);
    resolve();
    await eventually(() => peeked() !== undefined);
    assert.equal(peeked(), written);
    assert.equal(written.revision, revision);
  });

  it('whose event has come before is the object that the cache holds already', async () => {
    const value = encoded('1');
    const { revision } = await store.create(key, value);
    await eventually(() => peeked() !== undefined);
    assert.equal(resource().written({ key, value, revision }), peeked());
  });

  it('is not believed where the stream shows other bytes at its revision', async () => {
    const { promise, resolve } = newDeferred<void>();
    store.gate = promise;
    const { revision } = await store.create(key, encoded('1'));
    resource().written({ key, value: encoded('2'), revision });
    resolve();
    await eventually(() => peeked() !== undefined);
    assert.equal(label(), '1');
  });

  it('that somebody else has followed is not taken for what followed', async () => {
    const { promise, resolve } = newDeferred<void>();
    store.gate = promise;
    const value = encoded('1');
    const { revision } = await store.create(key, value);
    resource().written({ key, value, revision });
    await store.update(key, encoded('2'), revision);
    resolve();
    await eventually(() => label() === '2');
  });

  it('is the base of the next write before its event comes, and not after a later one of another server', async () => {
    const { promise, resolve } = newDeferred<void>();
    store.gate = promise;
    const value = encoded('1');
    const { revision } = await store.create(key, value);
    const written = resource().written({ key, value, revision });
    assert.equal(resource().suggest('default', 'x')?.object, written);
    await store.update(key, encoded('2'), revision);
    resolve();
    await eventually(() => label() === '2');
    assert.equal(resource().suggest('default', 'x')?.object, peeked());
    await store.delete(key, revision + 1);
    await eventually(() => peeked() === undefined);
    assert.deepEqual(resource().suggest('default', 'x'), { object: undefined, session: undefined });
  });
});
