import assert from 'node:assert/strict';
import { Etcd3 } from 'etcd3';
import { openEtcdStore } from '../../src/storage/etcd/etcd-store.ts';
import type { ObjectStore } from '../../src/storage/port/object-store.ts';
import { type EtcdHome, openEtcdHome } from './etcd-fixture.ts';
import { bytes, startWatch, textOf } from './fixture.ts';

describe('Leases of keys on etcd', () => {
  let etcd: EtcdHome;
  let store: ObjectStore;
  let raw: Etcd3;

  before(async () => {
    etcd = await openEtcdHome();
    store = await openEtcdStore({ endpoints: [etcd.endpoint] });
    raw = new Etcd3({ hosts: etcd.endpoint });
  });
  after(async () => {
    raw.close();
    await store.close();
    await etcd.close();
  });

  const leases = async (): Promise<readonly string[]> =>
    (await raw.leaseClient.leaseLeases()).leases.map(({ ID }) => ID);

  it('are shared by keys that are written in the same minute', async () => {
    const keys = Array.from({ length: 30 }, (_, index) => `/shared/${index}`);
    await Promise.all(keys.map((key) => store.create(key, bytes('one'), { ttlSeconds: 600 })));
    assert.equal((await leases()).length, 1);
  });

  it('are granted for the TTL of their keys plus the time of their reuse', async () => {
    const other = await openEtcdStore({ endpoints: [etcd.endpoint], leaseReuseSeconds: 3 });
    const known = await leases();
    await other.create('/reused/a', bytes('one'), { ttlSeconds: 1000 });
    const ID = (await leases()).find((id) => !known.includes(id)) ?? '';
    assert.equal((await raw.leaseClient.leaseTimeToLive({ ID })).grantedTTL, '1003');
    await raw.leaseClient.leaseRevoke({ ID });
    await other.close();
  });

  it('delete their keys together, and a watch delivers all deletions in one batch', async () => {
    const { revision } = await store.status();
    const watching = startWatch(store, '/shared/', revision);
    for (const ID of await leases()) await raw.leaseClient.leaseRevoke({ ID });
    await watching.reach(30);
    await watching.stop();
    const nonEmpty = watching.batches.filter(({ events }) => events.length > 0);
    assert.deepEqual(
      nonEmpty.map((batch) => batch.revision),
      [revision + 1],
    );
  });

  it('are granted again when etcd has lost them, without an error for the writer', async () => {
    const { revision } = await store.create('/lost/a', bytes('one'), { ttlSeconds: 600 });
    const kept = await store.create('/lost/kept', bytes('one'));
    for (const ID of await leases()) await raw.leaseClient.leaseRevoke({ ID });
    assert.equal((await store.get('/lost/a')).current, undefined);
    const again = await store.create('/lost/a', bytes('two'), { ttlSeconds: 600 });
    assert.ok(again.revision > revision);
    for (const ID of await leases()) await raw.leaseClient.leaseRevoke({ ID });
    const updated = await store.update('/lost/kept', bytes('two'), kept.revision, { ttlSeconds: 600 });
    assert.equal(updated.swapped, true);
    assert.equal(textOf((await store.get('/lost/kept')).current), 'two');
    assert.equal((await leases()).length, 1);
  });
});
