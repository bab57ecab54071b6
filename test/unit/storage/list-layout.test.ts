import assert from 'node:assert/strict';
import type { ObjectFilter } from '../../../src/storage/cache/resource-cache.ts';
import type { WatchCache } from '../../../src/storage/cache/watch-cache.ts';
import { eventually, FaultyStore, newCache, pod, podKey, pods, put, putPod, remove } from './fixture.ts';

const count = 400;
const name = (index: number): string => `p${String(index).padStart(3, '0')}`;
/**
 * Every second pod is odd; a list of those is more than 64 KiB, and not what is beside each other
 * in memory.
 */
const odd: ObjectFilter = ({ labels }) => labels.get('odd') === 'true';

describe('the bytes of selected lists', () => {
  let store: FaultyStore;
  let cache: WatchCache;
  const write = (index: number): Promise<number> => {
    const labels = { odd: String(index % 2 === 1) };
    const key = podKey('ns', name(index));
    return put(store, key, pod('ns', name(index), labels, { spec: { text: `${Math.random()}`.repeat(60) } }));
  };
  const list = async (filter?: ObjectFilter) => {
    const at = { kind: 'latest' } as const;
    const found = await cache.resource(pods).list({ namespace: '', at, limit: 0, ...(filter ? { filter } : {}) });
    const pieces = [...found.layOut().pieces()];
    const items = found.objects.map((object) => `{${object.json.subarray(object.itemStart).toString()}`);
    assert.equal(Buffer.concat(pieces).toString(), items.join(','));
    assert.equal(Buffer.concat(pieces).length, found.layOut().length);
    return pieces;
  };

  beforeEach(async () => {
    store = new FaultyStore();
    cache = newCache(store);
    await list();
    for (let index = 0; index < count; index++) await write(index);
  });
  afterEach(async () => {
    await cache.close();
    await store.close();
  });

  it('are the same buffers for the next list', async () => {
    const [first] = await list(odd);
    assert.ok(cache.listBytes > 100_000, `${cache.listBytes}`);
    assert.equal((await list(odd))[0]?.buffer, first?.buffer);
    assert.equal(cache.listBytes, (first?.length ?? 0) + 1, 'with the comma before the first item');
  });

  it('are given up when one of the objects is changed or deleted, for no list can have them again', async () => {
    for (const change of [() => write(201), () => remove(store, podKey('ns', name(203)))]) {
      await list(odd);
      assert.ok(cache.listBytes > 0);
      await change();
      await list();
      assert.equal(cache.listBytes, 0);
    }
  });

  it('stay when others are changed', async () => {
    await list(odd);
    const kept = cache.listBytes;
    await write(200);
    await list();
    assert.equal(cache.listBytes, kept);
  });

  it('are not kept of a past state', async () => {
    const at = { kind: 'latest' } as const;
    const past = await cache.resource(pods).list({ namespace: '', at, limit: 0, filter: odd });
    await write(1);
    await list();
    assert.equal([...past.layOut().pieces()].length, 1);
    assert.equal(cache.listBytes, 0);
  });

  it('go with the history of the store', async () => {
    const at = { kind: 'latest' } as const;
    const held = await cache.resource(pods).list({ namespace: '', at, limit: 0, filter: odd });
    await list(odd);
    assert.ok(cache.listBytes > 0);
    store.unavailable = true;
    store.cut();
    await store.inner.compact(await putPod(store.inner, 'ns', 'z'));
    store.unavailable = false;
    await eventually(() => cache.listBytes === 0);
    await eventually(() => cache.problems().length === 0);
    assert.equal(cache.listBytes, 0);
    assert.equal([...held.layOut().pieces()].length, 1);
    assert.equal(cache.listBytes, 0, 'nor are they kept of what was laid out before');
  });
});
