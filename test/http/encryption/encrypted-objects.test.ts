import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import { serveStore, type StoreServer } from '../../../src/storage/remote/store-server.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { define, widgetsIn } from '../custom-resources/widgets.ts';
import { type HttpResponse, request } from '../http-client.ts';
import { until } from '../until.ts';

const prefix = '/registry';
const secrets = '/api/v1/namespaces/default/secrets';
const canary = Buffer.from('the canary of the store').toString('base64');
const aes = (...names: readonly string[]) => ({
  aesgcm: { keys: names.map((name) => ({ name, secret: Buffer.alloc(32, name).toString('base64') })) },
});

describe('objects that are encrypted in the store', () => {
  let folder: string;
  let memory: MemoryStore;
  let served: StoreServer;
  let server: TestServer | undefined;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'encryption-'));
    memory = new MemoryStore();
    served = await serveStore(memory, '127.0.0.1:0');
  });
  after(async () => {
    await server?.stop();
    await served?.close();
    await memory?.close();
    await rm(folder, { recursive: true });
  });

  const configFile = (): string => path.join(folder, 'encryption.json');
  const configure = (...rules: readonly (readonly [resource: string, ...providers: readonly object[]])[]) =>
    writeFile(
      configFile(),
      JSON.stringify({
        apiVersion: 'apiserver.config.cl.io/v1',
        kind: 'EncryptionConfiguration',
        resources: rules.map(([resource, ...providers]) => ({ resources: [resource], providers })),
      }),
    );
  const start = async (): Promise<TestServer> => {
    await server?.stop();
    server = await startServer({
      prefix,
      store: { kind: 'remote', endpoint: served.endpoint },
      encryptionConfigFile: configFile(),
      encryptionConfigReload: true,
      certificateReloadMs: 20,
    });
    return server;
  };
  const send = async (method: string, at: string, body?: JsonObject, type?: string): Promise<HttpResponse> => {
    assert.ok(server);
    return await request(server, method, at, body, type ? { 'content-type': type } : {});
  };
  const create = async (at: string, body: JsonObject): Promise<void> => {
    const { status, text } = await send('POST', at, body);
    assert.equal(status, 201, text);
  };
  const touch = (name: string): Promise<HttpResponse> =>
    send('PATCH', `${secrets}/${name}`, {}, 'application/merge-patch+json');
  const stored = async (key: string): Promise<string> => {
    const { current } = await memory.get(`${prefix}/${key}`);
    assert.ok(current, key);
    return Buffer.from(current.value).toString('latin1');
  };
  const dataOf = async (name: string): Promise<unknown> => {
    const { status, text, body } = await send('GET', `${secrets}/${name}`);
    assert.equal(status, 200, text);
    return (body as { data?: unknown }).data;
  };
  const isWrittenWith = async (name: string, key: string): Promise<boolean> => {
    await touch(name);
    return (await stored(`secrets/default/${name}`)).startsWith(`cl:enc:aesgcm:v1:${key}:`);
  };

  it('are plain to clients, and nowhere in the store, by resource, group and kind of definitions', async () => {
    await configure(['secrets', aes('one')], ['widgets.keys.example.com', aes('two')], ['*.apps', aes('three')]);
    await define(await start(), widgetsIn('keys.example.com'));
    await create(secrets, { metadata: { name: 'a' }, data: { canary } });
    await create('/apis/keys.example.com/v1/namespaces/default/widgets', {
      kind: 'Widget',
      metadata: { name: 'a' },
      spec: { size: 7 },
    });
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b' }] } };
    await create('/apis/apps/v1/namespaces/default/deployments', {
      metadata: { name: 'a' },
      spec: { selector: { matchLabels: { a: 'b' } }, template },
    });
    await create('/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' }, data: { canary } });

    assert.deepEqual(await dataOf('a'), { canary });
    assert.match(await stored('secrets/default/a'), /^cl:enc:aesgcm:v1:one:/);
    assert.match(await stored('widgets.keys.example.com/default/a'), /^cl:enc:aesgcm:v1:two:/);
    assert.match(await stored('deployments.apps/default/a'), /^cl:enc:aesgcm:v1:three:/);
    assert.match(await stored('configmaps/default/a'), /canary/);
    for await (const { values } of memory.list(`${prefix}/secrets/`)) {
      for (const { key, value } of values) {
        const text = Buffer.from(value).toString('latin1');
        assert.ok(!text.includes(canary) && !text.includes('Secret'), key);
      }
    }
  });

  it('are read again after a restart, in lists and by key', async () => {
    await start();
    const { body } = await send('GET', secrets);
    const { items } = body as { items: readonly { data: unknown }[] };
    assert.deepEqual(items[0]?.data, { canary });
    assert.deepEqual(await dataOf('a'), { canary });
  });

  it('are encrypted with a new first key at the next write of any kind', async () => {
    await create(secrets, { metadata: { name: 'idle' }, data: { canary } });
    await configure(['secrets', aes('new', 'one')]);
    await until('the new key to write', () => isWrittenWith('a', 'new'));
    assert.deepEqual(await dataOf('a'), { canary });
    const { body } = await send('GET', `${secrets}/a`);
    const { resourceVersion } = (body as { metadata: { resourceVersion: string } }).metadata;
    await touch('a');
    const again = (await send('GET', `${secrets}/a`)).body as { metadata: { resourceVersion: string } };
    assert.equal(again.metadata.resourceVersion, resourceVersion, 'a second write changes nothing');
    assert.match(await stored('secrets/default/idle'), /^cl:enc:aesgcm:v1:one:/);
  });

  it('are lost singly with a key: gets fail, lists leave them out', async () => {
    await configure(['secrets', aes('new')]);
    await start();
    const { status, text } = await send('GET', `${secrets}/idle`);
    assert.equal(status, 500, text);
    assert.match(text, /it is encrypted \(cl:enc:aesgcm:v1:\), and no configured key decrypts it/);
    const { body, headers } = await send('GET', secrets);
    const { items } = body as { items: readonly { metadata: { name: string } }[] };
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['a'],
    );
    assert.match(String(headers['warning']), /cannot be read/);
    const metrics = (await send('GET', '/metrics')).text;
    assert.match(
      metrics,
      /apiserver_storage_transformation_operations_total\{[^}]*transformer_prefix="unknown"[^}]*\} [1-9]/,
    );
  });

  it('come back without a restart when the key does, also in watches', async () => {
    const watch = send('GET', `${secrets}?watch=true&timeoutSeconds=20`);
    await configure(['secrets', aes('new', 'one')]);
    await until('the object', async () => (await send('GET', `${secrets}/idle`)).status === 200);
    assert.deepEqual(await dataOf('idle'), { canary });
    assert.match((await watch).text, /"code":410/, 'clients that list again see it');
    await send('DELETE', `${secrets}/idle`);
  });

  it('are refused under the name of another object', async () => {
    const { current } = await memory.get(`${prefix}/secrets/default/a`);
    assert.ok(current);
    await memory.create(`${prefix}/secrets/default/moved`, current.value);
    await until('the moved value to be refused', async () => (await send('GET', `${secrets}/moved`)).status === 500);
    assert.deepEqual(await dataOf('a'), { canary });
  });

  it('keep their configuration while a new one is invalid', async () => {
    await writeFile(configFile(), 'kind: Nothing');
    await until('the failure to be counted', async () => {
      const { text } = await send('GET', '/metrics');
      return /apiserver_encryption_config_controller_automatic_reloads_total\{[^}]*status="failure"[^}]*\} [1-9]/.test(
        text,
      );
    });
    assert.deepEqual(await dataOf('a'), { canary });
  });

  it('keep their configuration, and are healthy, while the plugin of a new one does not answer', async () => {
    const failures = async (): Promise<number> => {
      const { text } = await send('GET', '/metrics');
      return Number(/automatic_reloads_total\{[^}]*status="failure"[^}]*\} (\d+)/.exec(text)?.[1] ?? 0);
    };
    await configure(['secrets', aes('new')]);
    const before = await failures();
    const kms = { apiVersion: 'v2', name: 'absent', endpoint: `unix://${folder}/absent.sock`, timeout: '50ms' };
    await configure(['secrets', { kms }, aes('new')]);
    await until('the failure to be counted', async () => (await failures()) > before);
    assert.ok(await isWrittenWith('a', 'new'));
    assert.equal((await send('GET', '/readyz/kms-providers')).status, 200);
    assert.deepEqual(await dataOf('a'), { canary });
  });

  it('become plain again with identity first', async () => {
    await configure(['secrets', { identity: {} }, aes('new')]);
    await until('a plain value', async () => {
      await touch('a');
      return (await stored('secrets/default/a')).includes(canary);
    });
    assert.deepEqual(await dataOf('a'), { canary });
  });
});
