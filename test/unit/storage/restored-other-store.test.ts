import assert from 'node:assert/strict';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import { WatchCache } from '../../../src/storage/cache/watch-cache.ts';
import { code, newCache, nodes, pods, prefix, put, putPod, readWatch } from './fixture.ts';
import { RestorableStore } from './restorable-store.ts';

const everything = { namespace: '', at: { kind: 'latest' }, limit: 0 } as const;

describe('a store of some resources that is restored', () => {
  it('ends the watches of these alone, and shows what it has', async () => {
    const [main, other] = [new MemoryStore(), new RestorableStore()];
    const cache = new WatchCache({ store: main, prefix, others: new Map([['pods', newCache(other)]]) });
    const names = async () =>
      (await cache.resource(pods).list(everything)).objects.map(({ name, revision }) => `${name} ${revision}`);
    await put(main, `${prefix}/nodes/n`, { kind: 'Node', apiVersion: 'v1', metadata: { name: 'n', uid: 'n' } });
    for (const name of ['kept', 'lost', 'also']) await other.write((store) => putPod(store, 'default', name));
    assert.deepEqual(await names(), ['also 4', 'kept 2', 'lost 3']);
    const watches = [readWatch(cache.resource(pods)), readWatch(cache.resource(nodes))] as const;
    await Promise.all([watches[0].until(3), watches[1].until(1)]);
    // The same revision as before, and another object there.
    await other.restore(
      1,
      ['new', 'newer'].map((name) => (store) => putPod(store, 'default', name)),
    );
    assert.deepEqual(await names(), ['kept 2', 'new 3', 'newer 4']);
    assert.ok(code('Compacted')(await watches[0].done));
    assert.equal(await watches[1].stop(), undefined);
    await cache.close();
    await Promise.all([main.close(), other.close()]);
  });
});
