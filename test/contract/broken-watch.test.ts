import assert from 'node:assert/strict';
import { openEtcdStore } from '../../src/storage/etcd/etcd-store.ts';
import { objectKey } from '../../src/storage/port/object-key.ts';
import type { ObjectStore } from '../../src/storage/port/object-store.ts';
import { encodeStoredObject } from '../../src/storage/objects/stored-object.ts';
import { WatchCache } from '../../src/storage/cache/watch-cache.ts';
import { openTcpWay, type TcpWay } from '../robustness/tcp-way.ts';
import { type EtcdHome, openEtcdHome } from './etcd-fixture.ts';

const pods = { group: '', resource: 'pods' };
const everything = { namespace: '', at: { kind: 'latest' }, limit: 0 } as const;
/** A read that waits so long for the watch fails its test. */
const tooLongMs = 60_000;

describe('A watch cache on etcd, while the watch is broken', () => {
  let etcd: EtcdHome;
  let way: TcpWay;
  /** Straight to etcd. */
  let store: ObjectStore;
  let shaky: ObjectStore;
  let cache: WatchCache;

  beforeEach(async () => {
    etcd = await openEtcdHome();
    way = await openTcpWay(etcd.endpoint);
    store = await openEtcdStore({ endpoints: [etcd.endpoint], prefix: '/registry' });
    shaky = await openEtcdStore({ endpoints: [way.endpoint], prefix: '/registry' });
    cache = new WatchCache({ store: shaky, prefix: '/registry', settings: { freshnessTimeoutMs: tooLongMs } });
  });
  afterEach(async () => {
    await cache.close();
    await Promise.all([store.close(), shaky.close()]);
    way.close();
    await etcd.close();
  });

  const create = (name: string) => {
    const pod = { kind: 'Pod', apiVersion: 'v1', metadata: { name, namespace: 'default', uid: name } };
    return store.create(objectKey('/registry', pods, 'default', name), encodeStoredObject(pod));
  };
  const names = async () => (await cache.resource(pods).list(everything)).objects.map(({ name }) => name);

  it('lists from etcd at once, again and again, when the connection has ended', async () => {
    await create('a');
    assert.deepEqual(await names(), ['a']);
    way.cutWatches();
    for (const name of ['b', 'c', 'd']) {
      await create(name);
      assert.equal((await names()).at(-1), name);
    }
    assert.equal(cache.resource(pods).peek('default', 'd'), undefined);
    way.mend();
    while (!cache.resource(pods).peek('default', 'd')) await new Promise((resolve) => setTimeout(resolve, 20));
  });

  it('finds out by the first list when the connection has gone silent, and opens another', async () => {
    await create('a');
    assert.deepEqual(await names(), ['a']);
    way.silenceWatches();
    await create('b');
    assert.deepEqual(await names(), ['a', 'b']);
    await create('c');
    assert.deepEqual(await names(), ['a', 'b', 'c']);
    way.mend();
    while (!cache.resource(pods).peek('default', 'c')) await new Promise((resolve) => setTimeout(resolve, 20));
  });
});
