import assert from 'node:assert/strict';
import { MemoryStore } from '../../src/storage/memory/memory-store.ts';
import type { ObjectStore } from '../../src/storage/port/object-store.ts';
import { connectRemoteStore } from '../../src/storage/remote/remote-store.ts';
import { serveStore, type StoreServer } from '../../src/storage/remote/store-server.ts';
import { bytes, createAll, failsWith, revisionOf, startWatch, withClockSetBack } from './fixture.ts';

describe('A remote store, when its server fails', () => {
  let memory: MemoryStore;
  let server: StoreServer;
  let address: string;
  let store: ObjectStore;

  beforeEach(async () => {
    memory = new MemoryStore();
    server = await serveStore(memory, '127.0.0.1:0');
    address = server.endpoint.replace('grpc://', '');
    store = await connectRemoteStore(server.endpoint, { timeoutMs: 3_000 });
  });
  afterEach(async () => {
    await store.close();
    await server.close();
  });

  it('goes on with its watches when the server is back', async () => {
    const watch = startWatch(store, '/a/', 1, { resumed: true });
    await createAll(store, ['/a/1']);
    await watch.reach(1);
    await server.close();
    await createAll(memory, ['/a/2', '/a/3']);
    server = await serveStore(memory, address);
    await createAll(memory, ['/a/4']);
    await watch.reach(4);
    await watch.stop();
    assert.deepEqual(watch.events.map(revisionOf), [2, 3, 4, 5]);
  });

  it('ends its watches with Corrupt when the store behind the server lost delivered events', async () => {
    const watch = startWatch(store, '/a/', 1, { resumed: true });
    await createAll(store, ['/a/1', '/a/2']);
    await watch.reach(2);
    await server.close();
    memory = new MemoryStore();
    server = await serveStore(memory, address);
    assert.ok(failsWith('Corrupt', 1)(await watch.ended));
  });

  it('waits with reads, but not with writes, until the server is back', async () => {
    await createAll(store, ['/a/1']);
    await server.close();
    await assert.rejects(store.create('/a/2', bytes('x')), (error) => error instanceof Error);
    const reading = store.get('/a/1');
    server = await serveStore(memory, address);
    assert.ok((await reading).current);
    await assert.rejects(store.get('/a/1', { revision: 99 }), failsWith('FutureRevision', 2));
  });

  it('gives up a read at its deadline', async () => {
    await server.close();
    const impatient = await connectRemoteStore(`grpc://${address}`, { timeoutMs: 200 });
    await assert.rejects(impatient.status(), failsWith('Unavailable'));
    await impatient.close();
  });

  it('gives up a read at its deadline when the clock of the machine is set back meanwhile', async () => {
    await server.close();
    const impatient = await connectRemoteStore(`grpc://${address}`, { timeoutMs: 200 });
    await withClockSetBack(async (setBack) => {
      const reading = impatient.status();
      setBack();
      await assert.rejects(reading, failsWith('Unavailable'));
    });
    await impatient.close();
  });

  it('passes on what the store refuses', async () => {
    const { revision } = await store.create('/a/1', bytes('x'));
    await store.compact(revision);
    await assert.rejects(store.get('/a/1', { revision: 1 }), failsWith('Compacted', revision));
    assert.ok(failsWith('Compacted', revision)(await startWatch(store, '/a/', 1).ended));
    await memory.close();
    await assert.rejects(store.create('/a/2', bytes('x')), failsWith('Unavailable'));
  });

  it('ends everything when it is closed', async () => {
    const watch = startWatch(store, '/a/', 1);
    await createAll(store, ['/a/1']);
    await watch.reach(1);
    await store.close();
    assert.ok(failsWith('Unavailable')(await watch.ended));
    await assert.rejects(store.status(), failsWith('Unavailable'));
  });

  it('refuses endpoints that are none', async () => {
    for (const endpoint of ['http://a:1', 'grpc://', 'grpc://host', 'host:1']) {
      await assert.rejects(connectRemoteStore(endpoint), failsWith('InvalidArgument'));
    }
  });
});
