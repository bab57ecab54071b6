import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalEtcd } from '../../src/etcd/local-etcd.ts';
import { openEtcdStore } from '../../src/storage/etcd/etcd-store.ts';
import { aesGcm } from '../../src/storage/encryption/ciphers/aes-gcm.ts';
import { encryptedStore, segmentsOf } from '../../src/storage/encryption/encrypted-store.ts';
import { MemoryStore } from '../../src/storage/memory/memory-store.ts';
import type { ObjectStore } from '../../src/storage/port/object-store.ts';
import { connectRemoteStore } from '../../src/storage/remote/remote-store.ts';
import { serveStore } from '../../src/storage/remote/store-server.ts';
import { describeCompaction } from './compaction.ts';
import { describeConcurrency } from './concurrency.ts';
import { describeExpiry } from './expiry.ts';
import { fixtureOf } from './fixture.ts';
import { describeHostileKeys } from './hostile-keys.ts';
import { describeReads } from './reads.ts';
import { describeWatches } from './watches.ts';
import { describeWrites } from './writes.ts';

/** A store to run the contract against, and how to be rid of it. */
interface OpenStore {
  readonly store: ObjectStore;
  close(): Promise<void>;
}

async function openMemory(): Promise<OpenStore> {
  const store = new MemoryStore();
  return { store, close: () => store.close() };
}

async function openEncrypted(): Promise<OpenStore> {
  const memory = new MemoryStore();
  const transformers = [
    aesGcm({ provider: 'aesgcm', prefix: Buffer.from('k8s:enc:aesgcm:v1:one:') }, Buffer.alloc(32, 1)),
  ];
  const onUnreadable = (key: string): void => assert.fail(`${key} cannot be decrypted`);
  const store = encryptedStore(memory, segmentsOf('/contract'), { transformersOf: () => transformers, onUnreadable });
  return { store, close: () => store.close() };
}

async function openRemote(): Promise<OpenStore> {
  const memory = new MemoryStore();
  const server = await serveStore(memory, '127.0.0.1:0');
  const store = await connectRemoteStore(server.endpoint);
  return {
    store,
    async close() {
      await store.close();
      await server.close();
      await memory.close();
    },
  };
}

async function openEtcd(): Promise<OpenStore> {
  const dataDir = await mkdtemp(join(tmpdir(), 'contract-etcd-'));
  const etcd = await startLocalEtcd({ dataDir });
  const store = await openEtcdStore({ endpoints: [etcd.endpoint] });
  return {
    store,
    async close() {
      await store.close();
      await etcd.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

const stores = {
  'in memory': openMemory,
  'with encrypted values': openEncrypted,
  'remote, over gRPC': openRemote,
  'on etcd': openEtcd,
};

for (const [where, open] of Object.entries(stores)) {
  describe(`The object store ${where}`, () => {
    let opened: OpenStore;
    before(async function () {
      // The first time an etcd may have to be fetched.
      this.timeout(120_000);
      opened = await open();
    });
    after(() => opened.close());

    const fixture = fixtureOf(() => opened.store);
    describeWrites(fixture);
    describeReads(fixture);
    describeWatches(fixture);
    describeConcurrency(fixture);
    describeHostileKeys(fixture);
    describeExpiry(fixture);
    describeCompaction(fixture);
  });
}
