import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { connectEtcd, type EtcdClient } from '../../src/etcd/etcd-client.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type ClRunner, createClRunner } from '../http/cl/cl-runner.ts';
import { request } from '../http/http-client.ts';
import { until } from '../http/until.ts';
import { startTestEtcd, type TestEtcd } from './local-store.ts';

const secrets = '/api/v1/namespaces/default/secrets';
const events = '/api/v1/namespaces/default/events';
const patch = { 'content-type': 'application/merge-patch+json' };

interface ListBody {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly { readonly metadata: { readonly name: string }; readonly data?: object }[];
}

describe('encrypted values in etcd', () => {
  let etcd: TestEtcd;
  let other: TestEtcd;
  let client: EtcdClient;
  let server: TestServer;
  let cl: ClRunner;
  let file: string;

  before(async () => {
    [etcd, other] = await Promise.all([startTestEtcd(), startTestEtcd()]);
    client = await connectEtcd({ endpoints: [etcd.endpoint] });
    file = path.join(etcd.directory, 'encryption.json');
    await configure('one');
    server = await startServer(optionsOf(etcd));
    cl = await createClRunner(server);
    for (let index = 0; index < 30; index++) await write(`s${index}`);
  });
  after(async () => {
    await cl?.remove();
    await server?.stop();
    client?.close();
    await Promise.all([etcd, other].map((one) => one?.[Symbol.asyncDispose]()));
  });

  const optionsOf = ({ endpoint }: TestEtcd) => ({
    store: { kind: 'etcd', servers: [endpoint] } as const,
    encryptionConfigFile: file,
    encryptionConfigReload: true,
    certificateReloadMs: 20,
    eventTtlMs: 2_000,
  });
  const configure = (...keys: readonly string[]) => {
    const named = keys.map((name) => ({ name, secret: Buffer.alloc(32, name).toString('base64') }));
    const resources = [{ resources: ['secrets', 'events'], providers: [{ aesgcm: { keys: named } }] }];
    const content = { apiVersion: 'apiserver.config.cl.io/v1', kind: 'EncryptionConfiguration', resources };
    return writeFile(file, JSON.stringify(content));
  };
  const write = async (name: string): Promise<void> => {
    const { status, text } = await request(server, 'POST', secrets, { metadata: { name }, data: { a: 'YQ==' } });
    assert.equal(status, 201, text);
  };
  const list = async (from: TestServer, query = ''): Promise<ListBody> =>
    (await request(from, 'GET', `${secrets}${query}`)).body as ListBody;
  const namesOf = ({ items }: ListBody): string[] => items.map(({ metadata }) => metadata.name);
  const keysOf = async (): Promise<ReadonlySet<string>> => {
    const { values } = await client.range('/registry/secrets/', { limit: 1000 });
    return new Set(
      values.map(
        ({ value }) => /^cl:enc:aesgcm:v1:(\w+):/.exec(Buffer.from(value).toString('latin1', 0, 40))?.[1] ?? '',
      ),
    );
  };

  it('are read after etcd and the server were started again', async () => {
    const before = await list(server);
    await etcd.kill();
    await etcd.start();
    await until(
      'writes again',
      async () =>
        (await request(server, 'PATCH', `${secrets}/s0`, { metadata: { labels: { a: 'b' } } }, patch)).status === 200,
    );
    await server.stop();
    server = await startServer(optionsOf(etcd));
    assert.deepEqual(namesOf(await list(server)), namesOf(before));
    assert.deepEqual(await keysOf(), new Set(['one']));
  });

  it('are rewritten while etcd is compacted: a page from before is 410, the list is whole', async () => {
    const page = await list(server, '?limit=10');
    await configure('two', 'one');
    await until('the new key', async () => {
      await request(server, 'PATCH', `${secrets}/s0`, {}, patch);
      return (await keysOf()).has('two');
    });
    await Promise.all([
      ...Array.from({ length: 30 }, (_, index) => request(server, 'PATCH', `${secrets}/s${index}`, {}, patch)),
      client.revision().then((revision) => client.compact(revision)),
    ]);
    await client.compact(await client.revision());
    assert.deepEqual(await keysOf(), new Set(['two']));
    await configure('two');
    await server.stop();
    server = await startServer(optionsOf(etcd));
    const late = await request(server, 'GET', `${secrets}?limit=10&continue=${page.metadata.continue ?? ''}`);
    assert.equal(late.status, 410, late.text);
    const all = await list(server);
    assert.equal(all.items.length, 30);
    assert.ok(all.items.every(({ data }) => JSON.stringify(data) === '{"a":"YQ=="}'));
  });

  it('expire with their lease, and nothing else does', async () => {
    const involvedObject = { kind: 'Pod', namespace: 'default', name: 'x' };
    const { status, text } = await request(server, 'POST', events, { metadata: { name: 'e' }, involvedObject });
    assert.equal(status, 201, text);
    const { values } = await client.range('/registry/events/default/', { limit: 10 });
    assert.match(Buffer.from(values[0]?.value ?? '').toString('latin1'), /^cl:enc:aesgcm:v1:two:/);
    await until('the end of the Event', async () => (await request(server, 'GET', `${events}/e`)).status === 404);
    assert.equal((await list(server)).items.length, 30);
  });

  it('are saved under load as they are stored, and restored with all that was written before', async () => {
    let written = 30;
    const load = new AbortController();
    const loaded = (async () => {
      for (; !load.signal.aborted; written++) await write(`s${written}`);
    })();
    await until('some load', () => written > 40);
    const least = written;
    const saved = await cl.run(`snapshot save drill --etcd-servers=${etcd.endpoint}`);
    const most = written + 1;
    load.abort();
    await loaded;
    const revision = Number(/at revision (\d+)/.exec(saved.out)?.[1]);
    const { values } = await client.range('/registry/secrets/', { limit: 1000, revision });
    const restored = await cl.run(`snapshot restore drill --etcd-servers=${other.endpoint}`);
    assert.equal(restored.code, 0, restored.err);
    await using copy = {
      client: await connectEtcd({ endpoints: [other.endpoint] }),
      [Symbol.asyncDispose]: async () => copy.client.close(),
    };
    const again = await copy.client.range('/registry/secrets/', { limit: 1000 });
    const bytes = (found: typeof values) =>
      found.map(({ key, value }) => `${key} ${Buffer.from(value).toString('base64')}`);
    assert.deepEqual(bytes(again.values), bytes(values), 'byte by byte');
    await using later = await startServer(optionsOf(other));
    const found = await list(later);
    assert.ok(found.items.length >= least && found.items.length <= most, `${least} ${found.items.length} ${most}`);
    assert.ok(found.items.every(({ data }) => JSON.stringify(data) === '{"a":"YQ=="}'));
    assert.ok(Number(found.metadata.resourceVersion) > revision, 'no version from before comes again');
  });
});
