import assert from 'node:assert/strict';
import { EncodingBudget } from '../../../src/storage/objects/encoding-budget.ts';
import { FaultyStore, newCache, pods, putPod } from './fixture.ts';

const bytes = Buffer.alloc(100);

describe('the encodings that are cached with objects', () => {
  it('are dropped beyond the limit, the oldest first', () => {
    const budget = new EncodingBudget(250);
    const [first, second] = [budget.createCache(), budget.createCache()];
    first.set('a', bytes);
    second.set('a', bytes);
    first.set('b', bytes);
    assert.deepEqual([first.get('a'), first.get('b'), second.get('a')], [undefined, bytes, bytes]);
    assert.equal(budget.bytes, 200);
  });

  it('count once if they are made twice', () => {
    const budget = new EncodingBudget(250);
    const cache = budget.createCache();
    cache.set('a', bytes);
    cache.set('a', bytes);
    assert.equal(budget.bytes, 100);
  });

  it('are dropped with an object that is replaced, and with the cache of a resource', async () => {
    const store = new FaultyStore();
    const cache = newCache(store);
    // Fills the cache.
    await cache.resource(pods).list({ namespace: '', at: { kind: 'latest' }, limit: 0 });
    const get = async (name: string) => (await cache.resource(pods).get('ns', name, { kind: 'latest' })).object;
    for (const name of ['a', 'b']) {
      await putPod(store, 'ns', name);
      (await get(name))?.encodings.set('x', bytes);
    }
    assert.equal(cache.encodingBytes, 200);
    await putPod(store, 'ns', 'a');
    await get('a');
    assert.equal(cache.encodingBytes, 100);
    cache.remove(pods);
    assert.equal(cache.encodingBytes, 0);
    await cache.close();
    await store.close();
  });
});
