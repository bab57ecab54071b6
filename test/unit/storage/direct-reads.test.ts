import assert from 'node:assert/strict';
import { newDeferred } from '../../../src/async/deferred.ts';
import { DirectReads } from '../../../src/storage/cache/direct-reads.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import type { ListOptions } from '../../../src/storage/port/object-store.ts';
import { cachedObject } from '../../../src/storage/objects/resource-reading.ts';
import { code, eventually, putPod } from './fixture.ts';

const everything = {
  prefix: '/registry/pods/',
  name: undefined,
  key: undefined,
  filter: undefined,
  terms: undefined,
  limit: 0,
  afterKey: undefined,
};

describe('lists past the cache', () => {
  it('run four at a time, and those who gave up waiting hold nobody up', async () => {
    const store = new MemoryStore();
    await putPod(store, 'default', 'x');
    const { promise: gate, resolve: release } = newDeferred<void>();
    let running = 0;
    let most = 0;
    const slow = Object.assign(Object.create(store) as MemoryStore, {
      async *list(prefix: string, options: ListOptions) {
        most = Math.max(most, ++running);
        await gate;
        yield* store.list(prefix, options);
        running--;
      },
    });
    const direct = new DirectReads({
      store: slow,
      read: (stored) => cachedObject(stored, { namespace: 'default', name: 'x' }),
      onCorrupt: () => undefined,
    });
    const stop = new AbortController();
    const first = Array.from({ length: 4 }, () => direct.list(everything, undefined));
    const gone = Array.from({ length: 10 }, () => direct.list(everything, undefined, stop.signal));
    const last = Array.from({ length: 10 }, () => direct.list(everything, undefined));
    const ended = Promise.all(gone.map((list) => assert.rejects(list, code('Cancelled'))));
    await eventually(() => most === 4);
    stop.abort();
    await ended;
    release();
    for (const { objects } of await Promise.all([...first, ...last])) assert.equal(objects.length, 1);
    assert.equal(most, 4);
    await store.close();
  });
});
