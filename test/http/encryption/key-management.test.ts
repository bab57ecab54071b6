import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { status } from '@grpc/grpc-js';
import { MetricsRegistry } from '../../../src/metrics/metrics-registry.ts';
import { createKmsMetrics } from '../../../src/storage/encryption/kms/kms-metrics.ts';
import { KmsV2Plugin } from '../../../src/storage/encryption/kms/kms-v2-plugin.ts';
import { PluginConnection } from '../../../src/storage/encryption/kms/plugin-connection.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import { serveStore, type StoreServer } from '../../../src/storage/remote/store-server.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { type HttpResponse, request } from '../http-client.ts';
import { until } from '../until.ts';
import { type KmsPlugin, startKmsPlugin } from './kms-plugin.ts';

const prefix = '/registry';
const secrets = '/api/v1/namespaces/default/secrets';
const healthy = { keyId: 'one', healthz: 'ok' };

describe('keys that a plugin manages', () => {
  let folder: string;
  let socket: string;
  let plugin: KmsPlugin | undefined;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'kms-'));
    socket = path.join(folder, 'kms.sock');
  });
  afterEach(async () => {
    await plugin?.kill();
    plugin = undefined;
  });
  after(() => rm(folder, { recursive: true }));

  describe('by version 2', () => {
    const times = { healthyMs: 20, unhealthyMs: 20, cachedHealthyMs: 0, cachedUnhealthyMs: 0, writesMs: 1_000 };
    const metrics = createKmsMetrics(new MetricsRegistry(), 'server')('p');
    let kms: KmsV2Plugin;
    beforeEach(async () => {
      plugin = await startKmsPlugin(socket);
      const connection = new PluginConnection({ name: 'p', socket, timeoutMs: 500, onCall: metrics.onCall });
      kms = new KmsV2Plugin({ name: 'p', connection, onStatus: metrics.onStatus, times });
      await kms.start();
    });
    afterEach(() => kms.close());

    const keyId = (): string => kms.writeSeed().source.keyId;

    it('write with one seed until the key of the plugin changes', async () => {
      const { seed } = kms.writeSeed();
      await kms.check();
      assert.equal(kms.writeSeed().seed, seed);
      await plugin?.behave({ ...healthy, keyId: 'two' });
      await until('the new key', () => keyId() === 'two');
      assert.notDeepEqual(kms.writeSeed().seed, seed);
    });

    it('encrypt for a limited time while the plugin fails', async () => {
      await plugin?.behave({ ...healthy, failure: status.INTERNAL });
      await assert.rejects(kms.check(), /failed to status: Internal: told to fail Status/);
      assert.equal(keyId(), 'one');
      await until('the end of writes', () => {
        try {
          return keyId() === '';
        } catch (error) {
          assert.match(String(error), /nothing can be encrypted: .*told to fail Status/);
          return true;
        }
      });
      await plugin?.behave(healthy);
      await until('writes again', () =>
        kms.check().then(
          () => keyId() === 'one',
          () => false,
        ),
      );
    });

    const lies: readonly (readonly [what: string, behaviour: object, message: RegExp])[] = [
      ['is not well', { healthz: 'the disk is full' }, /its status is "the disk is full"/],
      ['names no key', { keyId: '' }, /the id of the key is empty/],
      ['names a key of 2 KB', { keyId: 'x'.repeat(2048) }, /the id of the key is longer than 1024 bytes/],
      ['encrypts with another key', { keyId: 'two', otherKeyId: 'three' }, /encrypts with another key than its status/],
      ['is slow', { delayMs: 2_000 }, /DeadlineExceeded/],
    ];
    for (const [what, behaviour, message] of lies) {
      it(`are not replaced by a plugin that ${what}`, async () => {
        await plugin?.behave({ ...healthy, ...behaviour });
        await assert.rejects(kms.check(), message);
        assert.equal(kms.current?.source.keyId, 'one');
      });
    }
  });

  describe('in a server', () => {
    let memory: MemoryStore;
    let served: StoreServer;
    let server: TestServer | undefined;
    before(async () => {
      memory = new MemoryStore();
      served = await serveStore(memory, '127.0.0.1:0');
    });
    after(async () => {
      await server?.stop();
      await served?.close();
      await memory?.close();
    });

    const start = async (version: 'v1' | 'v2'): Promise<void> => {
      await server?.stop();
      const file = path.join(folder, 'encryption.json');
      const kms = { apiVersion: version, name: `p-${version}`, endpoint: `unix://${socket}`, timeout: '500ms' };
      const other = { ...kms, apiVersion: version === 'v1' ? 'v2' : 'v1', name: version === 'v1' ? 'p-v2' : 'p-v1' };
      const providers = [{ kms }, { kms: other }];
      const content = { apiVersion: 'apiserver.config.cl.io/v1', kind: 'EncryptionConfiguration' };
      await writeFile(file, JSON.stringify({ ...content, resources: [{ resources: ['secrets'], providers }] }));
      const store = { kind: 'remote', endpoint: served.endpoint } as const;
      server = await startServer({ prefix, store, encryptionConfigFile: file });
    };
    const send = async (method: string, at: string, body?: object): Promise<HttpResponse> => {
      assert.ok(server);
      return await request(server, method, at, body);
    };
    const dataOf = async (name: string): Promise<unknown> =>
      ((await send('GET', `${secrets}/${name}`)).body as { data?: unknown }).data;
    const create = async (name: string): Promise<void> => {
      const { status: code, text } = await send('POST', secrets, { metadata: { name }, data: { a: 'YQ==' } });
      assert.equal(code, 201, text);
      const { current } = await memory.get(`${prefix}/secrets/default/${name}`);
      assert.match(Buffer.from(current?.value ?? '').toString('latin1'), /^cl:enc:kms:v[12]:p-v[12]:/);
    };

    it('encrypt by each version, and are read by a server that starts later', async () => {
      plugin = await startKmsPlugin(socket);
      await start('v1');
      await create('by-v1');
      await start('v2');
      await create('by-v2');
      await start('v1');
      for (const name of ['by-v1', 'by-v2']) assert.deepEqual(await dataOf(name), { a: 'YQ==' });
      const metrics = (await send('GET', '/metrics')).text;
      assert.match(
        metrics,
        /apiserver_envelope_encryption_kms_operations_latency_seconds_count\{[^}]*Decrypt[^}]*\} [1-9]/,
      );
    });

    it('are reached over an abstract socket', async () => {
      const name = `kms-${process.pid}`;
      plugin = await startKmsPlugin(`@${name}`);
      const connection = new PluginConnection({
        name: 'p',
        socket: `\0${name}`,
        timeoutMs: 5_000,
        onCall: () => undefined,
      });
      const kms = new KmsV2Plugin({ name: 'p', connection, onStatus: () => undefined });
      await kms.start();
      assert.equal(kms.writeSeed().source.keyId, 'one');
      kms.close();
    });

    it('are awaited by the first reads, without loss, until the plugin starts', async () => {
      await start('v1');
      const { status: code } = await send('GET', '/readyz/kms-provider-0');
      assert.equal(code, 500);
      const refused = await send('GET', secrets);
      assert.ok([500, 503, 504].includes(refused.status), refused.text);
      plugin = await startKmsPlugin(socket);
      await until('the plugin to be found', async () => (await send('GET', secrets)).status === 200);
      for (const name of ['by-v1', 'by-v2']) assert.deepEqual(await dataOf(name), { a: 'YQ==' });
      await until('health', async () => (await send('GET', '/readyz/kms-provider-0')).status === 200);
    });

    it('are read from the cache while the plugin is killed, and refuse writes that say why', async () => {
      plugin = await startKmsPlugin(socket);
      await start('v1');
      await until('the cache', async () => (await send('GET', secrets)).status === 200);
      await plugin.kill();
      assert.deepEqual(await dataOf('by-v1'), { a: 'YQ==' });
      const refused = await send('POST', secrets, { metadata: { name: 'late' } });
      assert.ok(refused.status >= 500, refused.text);
      assert.equal((await send('GET', '/livez/ping')).status, 200);
    });

    it('make only the objects of a lost key unreadable', async () => {
      plugin = await startKmsPlugin(socket);
      await plugin.behave({ ...healthy, keyId: 'two', lostKeys: ['one'] });
      await start('v2');
      await create('later');
      assert.equal((await send('GET', `${secrets}/by-v2`)).status, 500);
      for (const name of ['by-v1', 'later']) assert.deepEqual(await dataOf(name), { a: 'YQ==' });
    });
  });
});
