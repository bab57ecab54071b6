import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueClientCertificate } from '../../src/pki/issue-client-certificate.ts';
import { ensureAuthority } from '../../src/pki/ensure-authority.ts';
import { ensureServingCertificates } from '../../src/pki/ensure-serving-certificates.ts';
import { openEtcdStore } from '../../src/storage/etcd/etcd-store.ts';
import { MemoryStore } from '../../src/storage/memory/memory-store.ts';
import { connectRemoteStore } from '../../src/storage/remote/remote-store.ts';
import { serveStore } from '../../src/storage/remote/store-server.ts';
import { openEtcdHome } from './etcd-fixture.ts';
import { bytes, failsWith, startWatch } from './fixture.ts';

describe('A store behind TLS', () => {
  let directory: string;
  let serving: Awaited<ReturnType<typeof ensureServingCertificates>>;
  let client: { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer };
  /** Somebody whom the server's authority does not know. */
  let stranger: { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer };

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'contract-tls-'));
    serving = await ensureServingCertificates(directory, ['127.0.0.1', 'localhost']);
    const certificate = async (authority: Parameters<typeof issueClientCertificate>[0]) => {
      const { certPem, keyPem } = await issueClientCertificate(authority, { username: 'store', groups: [] }, 3_600_000);
      return { ca: bytes(serving.caPem), cert: bytes(certPem), key: bytes(keyPem) };
    };
    client = await certificate(await ensureAuthority(directory, 'ca', 'apiserver-ca'));
    stranger = await certificate(await ensureAuthority(directory, 'other', 'other-ca'));
  });
  after(() => rm(directory, { recursive: true }));

  /** Closes what a test has opened, also where it fails: an etcd that stays keeps the run from ending. */
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });
  const open = async <T extends { close(): Promise<void> }>(opened: Promise<T>): Promise<T> => {
    const part = await opened;
    closing.push(() => part.close());
    return part;
  };

  it('is etcd, which wants to know its clients', async () => {
    const { caFile, certFile, keyFile } = serving;
    const etcd = await open(openEtcdHome({ tls: { caFile, certFile, keyFile, client } }));
    const store = await open(openEtcdStore({ endpoints: [etcd.endpoint], tls: client }));
    const { revision } = await store.create('/a/1', bytes('x'));
    const watch = startWatch(store, '/a/', revision - 1);
    await watch.reach(1);
    await watch.stop();
    for (const tls of [{ ca: client.ca }, stranger, { cert: client.cert, key: client.key }]) {
      const refused = await open(openEtcdStore({ endpoints: [etcd.endpoint], tls, timeoutMs: 500 }));
      await assert.rejects(refused.status(), failsWith('Unavailable'));
    }
  });

  it('is an etcd behind a proxy that resolves its name', async () => {
    const { caFile, certFile, keyFile } = serving;
    const etcd = await open(openEtcdHome({ tls: { caFile, certFile, keyFile, client } }));
    const { port } = new URL(etcd.endpoint);
    const opened: string[] = [];
    const tunnel = async (target: { readonly host: string; readonly port: number }): Promise<Socket> => {
      opened.push(`${target.host}:${target.port}`);
      return connect(Number(port), '127.0.0.1');
    };
    const store = await open(openEtcdStore({ endpoints: ['https://localhost:1'], tls: client, open: tunnel }));
    const { revision } = await store.create('/a/1', bytes('x'), { ttlSeconds: 60 });
    const watch = startWatch(store, '/a/', revision - 1);
    await watch.reach(1);
    await watch.stop();
    await store.status();
    assert.deepEqual([...new Set(opened)], ['localhost:1']);
    assert.ok(opened.length >= 3, 'calls, a watch, and the calls of other services');
    const named = await open(
      openEtcdStore({ endpoints: ['https://other:1'], tls: client, open: tunnel, timeoutMs: 500 }),
    );
    await assert.rejects(named.status(), failsWith('Unavailable'));
  });

  it('is asked with the credentials of the moment, by new calls and new watches; a watch under way goes on', async () => {
    const { caFile, certFile, keyFile } = serving;
    const etcd = await open(openEtcdHome({ tls: { caFile, certFile, keyFile, client } }));
    let present = client;
    const store = await open(openEtcdStore({ endpoints: [etcd.endpoint], tls: () => present, timeoutMs: 2_000 }));
    const { revision } = await store.create('/a/1', bytes('x'));
    const watch = startWatch(store, '/a/', revision - 1);
    await watch.reach(1);
    present = stranger;
    await assert.rejects(store.status(), failsWith('Unavailable'));
    await assert.rejects(store.get('/a/1'), failsWith('Unavailable'));
    const other = await open(openEtcdStore({ endpoints: [etcd.endpoint], tls: client }));
    await other.create('/a/2', bytes('x'));
    await watch.reach(2);
    present = { ...client };
    await store.status();
    await store.create('/a/3', bytes('x'));
    await watch.reach(3);
    const later = startWatch(store, '/a/', revision - 1);
    await later.reach(3);
    await later.stop();
    await watch.stop();
  });

  it('is a remote one, which wants to know its clients', async () => {
    const memory = new MemoryStore();
    const tls = { cert: bytes(serving.certPem), key: bytes(serving.keyPem), clientCa: client.ca };
    const server = await serveStore(memory, '127.0.0.1:0', { tls });
    const store = await connectRemoteStore(server.endpoint, { tls: client });
    await store.create('/a/1', bytes('x'));
    await store.close();
    for (const wrong of [{ ca: client.ca }, stranger]) {
      const refused = await connectRemoteStore(server.endpoint, { tls: wrong, timeoutMs: 500 });
      await assert.rejects(refused.status(), failsWith('Unavailable'));
      await refused.close();
    }
    await server.close();
  });
});
