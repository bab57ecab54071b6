import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { builtInResources } from '../../../src/client/built-in-resources.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import { serveStore, type StoreServer } from '../../../src/storage/remote/store-server.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { type ClRunner, createClRunner } from '../cl/cl-runner.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';

const secrets = '/api/v1/namespaces/default/secrets';
const { storageversionmigrations } = builtInResources('cluster');
const migrations = `/apis/${storageversionmigrations.group}/v1beta1/storageversionmigrations`;
const names = Array.from({ length: 20 }, (_, index) => `s${index}`);

describe('values that are stored with an old key', () => {
  let folder: string;
  let memory: MemoryStore;
  let served: StoreServer;
  let server: TestServer;
  let cl: ClRunner;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'rewritten-'));
    memory = new MemoryStore();
    served = await serveStore(memory, '127.0.0.1:0');
    await configure('one');
    server = await startServer({
      emulatedRelease: '1.36',
      store: { kind: 'remote', endpoint: served.endpoint },
      encryptionConfigFile: path.join(folder, 'encryption.json'),
      encryptionConfigReload: true,
      certificateReloadMs: 20,
      controllers: ['storage-version-migrator-controller'],
      runtimeConfig: [`${storageversionmigrations.group}/v1beta1=true`],
      featureGates: ['StorageVersionMigrator=true'],
    });
    cl = await createClRunner(server);
    for (const name of names) {
      const { status, text } = await request(server, 'POST', secrets, { metadata: { name }, data: { a: 'YQ==' } });
      assert.equal(status, 201, text);
    }
  });
  after(async () => {
    await cl?.remove();
    await server?.stop();
    await served?.close();
    await memory?.close();
    await rm(folder, { recursive: true });
  });

  const configure = (...keys: readonly string[]) =>
    writeFile(
      path.join(folder, 'encryption.json'),
      JSON.stringify({
        apiVersion: 'apiserver.config.cl.io/v1',
        kind: 'EncryptionConfiguration',
        resources: [
          {
            resources: ['secrets'],
            providers: [
              { aesgcm: { keys: keys.map((name) => ({ name, secret: Buffer.alloc(32, name).toString('base64') })) } },
            ],
          },
        ],
      }),
    );
  /** The names of Secrets by the key that encrypted them. */
  const encryptedBy = async (key: string): Promise<string[]> => {
    const found: string[] = [];
    for await (const { values } of memory.list('/registry/secrets/')) {
      for (const stored of values) {
        const text = Buffer.from(stored.value).toString('latin1', 0, 40);
        if (text.startsWith(`cl:enc:aesgcm:v1:${key}:`)) found.push(stored.key.split('/').at(-1) ?? '');
      }
    }
    return found;
  };
  const versionsOf = async (): Promise<Record<string, string>> => {
    const { body } = await request(server, 'GET', secrets);
    const { items } = body as { items: readonly { metadata: { name: string; resourceVersion: string } }[] };
    return Object.fromEntries(items.map(({ metadata: { name, resourceVersion } }) => [name, resourceVersion]));
  };
  /** Puts a key first, and waits until it writes. */
  const rotateTo = async (key: string, ...old: readonly string[]): Promise<void> => {
    await configure(key, ...old);
    await until(`writes with ${key}`, async () => {
      await request(server, 'PATCH', `${secrets}/s0`, {}, { 'content-type': 'application/merge-patch+json' });
      return (await encryptedBy(key)).includes('s0');
    });
  };
  /** Migrates the Secrets, waits for this end, and returns its message. */
  const migrated = async (name: string, end: 'Succeeded' | 'Failed'): Promise<string> => {
    const body = { metadata: { name }, spec: { resource: { group: '', resource: 'secrets' } } };
    const { status, text } = await request(server, 'POST', migrations, body);
    assert.equal(status, 201, text);
    let message = '';
    await until(`the end of the migration ${name}`, async () => {
      const { body: migration } = await request(server, 'GET', `${migrations}/${name}`);
      const { conditions = [] } =
        (migration as { status?: { conditions?: { type: string; status: string; message: string }[] } }).status ?? {};
      const ended = conditions.find(({ type, status: state }) => type === end && state === 'True');
      message = ended?.message ?? '';
      return ended !== undefined;
    });
    return message;
  };

  it('are written again by "cl storage rewrite", and others are left alone', async () => {
    await rotateTo('two', 'one');
    const first = await versionsOf();
    const { code, out, err } = await cl.run('storage rewrite secrets');
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /^secrets: \d+ objects are stored as they should be\n$/);
    assert.deepEqual((await encryptedBy('one')).length, 0);
    const second = await versionsOf();
    assert.equal(second['s0'], first['s0'], 'it had the new key already');
    assert.notEqual(second['s1'], first['s1']);
    assert.equal((await cl.run('storage rewrite')).code, 0, 'all types');
    assert.deepEqual(await versionsOf(), second, 'a second run changes nothing');
  });

  it('are written from where an interrupted run ended', async () => {
    await rotateTo('three', 'two');
    const { s5 = '' } = await versionsOf();
    const { code } = await cl.run(`storage rewrite secrets --resume=${s5}`);
    assert.equal(code, 0);
    const versions = await versionsOf();
    const left = await encryptedBy('two');
    assert.ok(!left.includes('s5') && left.length > 0, left.join());
    assert.ok(
      left.every((name) => BigInt(versions[name] ?? 0) > BigInt(s5)),
      'newer ones are left out',
    );
    const refused = await cl.run('storage rewrite secrets --resume=x');
    assert.match(refused.err, /^error: --resume=x is no resourceVersion/);
    const unknown = await cl.run('storage rewrite secretz');
    assert.match(unknown.err, /^error: the server doesn't have a resource type "secretz" \(did you mean "secrets"\?\)/);
  });

  it('are written again by a StorageVersionMigration, after which the old key can be removed', async () => {
    await rotateTo('four', 'three', 'two');
    await migrated('rotated', 'Succeeded');
    assert.equal((await encryptedBy('four')).length, names.length);
    await configure('four');
    await using later = await startServer({
      store: { kind: 'remote', endpoint: served.endpoint },
      encryptionConfigFile: path.join(folder, 'encryption.json'),
    });
    const { body: list, headers } = await request(later, 'GET', secrets);
    assert.equal((list as { items: unknown[] }).items.length, names.length);
    assert.equal(headers['warning'], undefined);
  });

  it('are not reported as complete while some have a key that the server lacks', async () => {
    const lost = Buffer.from('cl:enc:aesgcm:v1:zero:0123456789abcdef');
    await memory.create('/registry/secrets/default/lost', lost);
    await until(
      'a list without it',
      async () => (await request(server, 'GET', secrets)).headers['warning'] !== undefined,
    );
    const { code, err } = await cl.run('storage rewrite secrets');
    assert.equal(code, 1);
    assert.match(err, /cannot be read: default\/lost\nerror: objects that the server cannot read were not written/);
    assert.match(await migrated('unread', 'Failed'), /20 objects were written, but .* cannot be read: default\/lost$/);
  });
});
