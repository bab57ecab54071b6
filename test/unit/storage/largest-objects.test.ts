import assert from 'node:assert/strict';
import { WatchCache } from '../../../src/storage/cache/watch-cache.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import { nodes, pods, prefix, put, putPod } from './fixture.ts';

describe('the largest objects of the caches', () => {
  it('are those of all stores', async () => {
    const [store, otherStore] = [new MemoryStore(), new MemoryStore()];
    const other = new WatchCache({ store: otherStore, prefix });
    const caches = new WatchCache({ store, prefix, others: new Map([['nodes', other]]) });
    await putPod(store, 'a', 'small');
    await putPod(store, 'a', 'large', { text: 'x'.repeat(500) });
    const metadata = { name: 'larger', uid: 'u', annotations: { text: 'x'.repeat(2_000) } };
    await put(otherStore, `${prefix}/nodes/larger`, { kind: 'Node', apiVersion: 'v1', metadata });
    for (const location of [pods, nodes]) caches.resource(location);
    await caches.warm([pods, nodes]);
    const found = await caches.largest(2);
    assert.deepEqual(
      found.map(({ key }) => key.split('/').at(-1)),
      ['larger', 'large'],
    );
    await caches.close();
    for (const one of [store, otherStore]) await one.close();
  });
});
