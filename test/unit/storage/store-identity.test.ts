import assert from 'node:assert/strict';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import { checkStoreIdentity } from '../../../src/storage/port/store-identity.ts';
import { prefix } from './fixture.ts';

describe('claiming a store', () => {
  it('marks an empty store, and lets servers with the same identifiers in', async () => {
    const store = new MemoryStore();
    const claim = () => checkStoreIdentity({ store, prefix, identifiers: 'cluster' });
    await Promise.all([claim(), claim(), claim()]);
    await claim();
    const { current } = await store.get('/registry/~/identifiers');
    assert.equal(Buffer.from(current?.value ?? []).toString(), 'cluster');
  });

  it('refuses a server with other identifiers, and says what to do', async () => {
    const store = new MemoryStore();
    await checkStoreIdentity({ store, prefix, identifiers: 'cluster' });
    await assert.rejects(checkStoreIdentity({ store, prefix, identifiers: 'kubernetes' }), {
      code: 'Conflict',
      message: /--identifiers=cluster.*--identifiers=kubernetes.*another --etcd-prefix/,
    });
    await checkStoreIdentity({ store, prefix: '/other', identifiers: 'kubernetes' });
  });
});
