import assert from 'node:assert/strict';
import { openEtcdStore } from '../../src/storage/etcd/etcd-store.ts';
import { StorageError } from '../../src/storage/port/storage-error.ts';
import { openEtcdHome } from './etcd-fixture.ts';
import { failsWith } from './fixture.ts';

describe('The etcd store, at the limits of etcd', () => {
  it('refuses a value that is too large for etcd, before or after asking it', async () => {
    const etcd = await openEtcdHome();
    const store = await openEtcdStore({ endpoints: [etcd.endpoint] });
    const trusting = await openEtcdStore({ endpoints: [etcd.endpoint], maxRequestBytes: 64 * 1024 * 1024 });
    const limit = 1.5 * 1024 * 1024;
    await assert.rejects(store.create('/a/1', Buffer.alloc(limit)), failsWith('TooLarge'));
    await assert.rejects(trusting.create('/a/1', Buffer.alloc(limit)), failsWith('TooLarge'));
    await assert.rejects(trusting.create('/a/1', Buffer.alloc(8 * limit)), failsWith('TooLarge'));
    const { revision } = await store.create('/a/1', Buffer.alloc(limit - 1_024));
    await assert.rejects(store.update('/a/1', Buffer.alloc(limit), revision), failsWith('TooLarge'));
    await store.update('/a/1', Buffer.alloc(limit - 1_024), revision);
    await Promise.all([store.close(), trusting.close()]);
    await etcd.close();
  });

  it('lists large values in pages that fit into memory', async () => {
    const etcd = await openEtcdHome();
    const store = await openEtcdStore({ endpoints: [etcd.endpoint] });
    const names = Array.from({ length: 150 }, (_, i) => `/a/${String(i).padStart(3, '0')}`);
    for (const name of names) await store.create(name, Buffer.alloc(200_000));
    const pages: string[][] = [];
    for await (const { values } of store.list('/a/')) pages.push(values.map(({ key }) => key));
    assert.deepEqual(pages.flat(), names);
    for (const page of pages.slice(1)) assert.ok(page.length * 200_000 <= 8 << 20, `${page.length} values in a page`);
    await store.close();
    await etcd.close();
  });

  it('still reads and deletes when etcd is out of space', async () => {
    const etcd = await openEtcdHome({ quotaBytes: 4 * 1024 * 1024 });
    const store = await openEtcdStore({ endpoints: [etcd.endpoint] });
    const created = new Map<string, number>();
    let refusal: unknown;
    for (let i = 0; refusal === undefined && i < 100; i++) {
      try {
        created.set(`/a/${i}`, (await store.create(`/a/${i}`, Buffer.alloc(500_000))).revision);
      } catch (error) {
        refusal = error;
      }
    }
    assert.ok(failsWith('NoSpace')(refusal));
    for (const [key, revision] of created) {
      assert.ok((await store.get(key)).current);
      assert.ok((await store.delete(key, revision)).swapped);
    }
    const [first = ''] = created.keys();
    assert.equal((await store.get(first)).current, undefined);
    await assert.rejects(store.create('/a/again', Buffer.alloc(10)), (error) => error instanceof StorageError);
    await store.close();
    await etcd.close();
  });
});
