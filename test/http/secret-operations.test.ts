import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, readEvents, request } from './http-client.ts';
import { until } from './until.ts';

const secrets = '/api/v1/namespaces/default/secrets';
const mergePatch = { 'content-type': 'application/merge-patch+json' };
const jsonPatch = { 'content-type': 'application/json-patch+json' };

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secret = (name: string, rest: object = { data: { password: base64('old') } }): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  ...rest,
});

interface SecretBody {
  readonly kind: string;
  readonly message: string;
  readonly type: string;
  readonly data: Readonly<Record<string, string>>;
  readonly stringData?: unknown;
  readonly immutable?: boolean;
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly items: readonly SecretBody[];
}

/** The body of an answer whose status is as expected. */
function bodyOf(response: HttpResponse, status: number): SecretBody {
  assert.equal(response.status, status, response.text);
  // The assertions of each story look at what they use.
  return response.body as SecretBody;
}

describe('operations on secrets (spec 4.4)', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
  });
  after(() => server.stop());

  it('creates: POST answers 201, with stringData merged into data and never shown (spec 2.4)', async () => {
    const sent = secret('created', { data: { a: base64('x'), b: base64('y') }, stringData: { b: 'over', c: '' } });
    const body = bodyOf(await request(server, 'POST', secrets, sent), 201);
    assert.deepEqual(body.data, { a: base64('x'), b: base64('over'), c: '' });
    assert.equal(body.stringData, undefined);
    assert.equal(body.type, 'Opaque');
  });

  it('gets: GET answers 200 and what was created', async () => {
    const created = bodyOf(await request(server, 'POST', secrets, secret('read')), 201);
    assert.deepEqual(bodyOf(await request(server, 'GET', `${secrets}/read`), 200), created);
  });

  it('has no status sub-resource: 404', async () => {
    assert.equal((await request(server, 'GET', `${secrets}/read/status`)).status, 404);
  });

  it('lists a namespace and all namespaces, by type too', async () => {
    const keys = { data: { 'ssh-privatekey': base64('k') }, type: 'cluster.io/ssh-auth' };
    bodyOf(await request(server, 'POST', secrets, secret('listed', keys)), 201);
    for (const path of [secrets, '/api/v1/secrets']) {
      const list = bodyOf(await request(server, 'GET', `${path}?fieldSelector=type%3Dcluster.io%2Fssh-auth`), 200);
      assert.equal(list.kind, 'SecretList');
      assert.deepEqual(
        list.items.map((item) => item.metadata.name),
        ['listed'],
      );
    }
    assert.equal((await request(server, 'GET', `${secrets}?fieldSelector=data%3Dx`)).status, 400);
  });

  it('watches: a change arrives as an event', async () => {
    const { metadata } = bodyOf(await request(server, 'POST', secrets, secret('watched')), 201);
    const watch = readEvents(server, `${secrets}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    try {
      await request(server, 'DELETE', `${secrets}/watched`);
      await until('the deletion', () => watch.events.length > 0);
      assert.equal(watch.events[0]?.type, 'DELETED');
    } finally {
      watch.stop();
    }
  });

  it('updates: PUT answers 200', async () => {
    await request(server, 'POST', secrets, secret('updated'));
    const sent = secret('updated', { data: { password: base64('new') } });
    assert.deepEqual(bodyOf(await request(server, 'PUT', `${secrets}/updated`, sent), 200).data, {
      password: base64('new'),
    });
  });

  it('patches: both kinds of JSON patch answer 200', async () => {
    await request(server, 'POST', secrets, secret('patched'));
    const merged = await request(server, 'PATCH', `${secrets}/patched`, { stringData: { more: 'm' } }, mergePatch);
    assert.deepEqual(bodyOf(merged, 200).data, { more: base64('m'), password: base64('old') });
    const operations = [{ op: 'remove', path: '/data/password' }];
    const removed = await request(server, 'PATCH', `${secrets}/patched`, operations, jsonPatch);
    assert.deepEqual(bodyOf(removed, 200).data, { more: base64('m') });
  });

  it('deletes: DELETE answers 200 and a Status', async () => {
    await request(server, 'POST', secrets, secret('deleted'));
    assert.equal(bodyOf(await request(server, 'DELETE', `${secrets}/deleted`), 200).kind, 'Status');
    assert.equal((await request(server, 'GET', `${secrets}/deleted`)).status, 404);
  });

  it('deletes a collection: only what is selected', async () => {
    await request(server, 'POST', secrets, secret('kept'));
    await request(server, 'POST', secrets, secret('swept', { metadata: { name: 'swept', labels: { old: '1' } } }));
    bodyOf(await request(server, 'DELETE', `${secrets}?labelSelector=old%3D1`), 200);
    assert.equal((await request(server, 'GET', `${secrets}/swept`)).status, 404);
    assert.equal((await request(server, 'GET', `${secrets}/kept`)).status, 200);
  });

  it('keeps the data of an immutable secret, but not its metadata', async () => {
    await request(server, 'POST', secrets, secret('fixed', { stringData: { a: 'b' }, immutable: true }));
    const path = `${secrets}/fixed`;
    const changed = bodyOf(await request(server, 'PATCH', path, { stringData: { a: 'c' } }, mergePatch), 422);
    assert.match(changed.message, /data: Forbidden: field is immutable when `immutable` is set/);
    assert.equal((await request(server, 'PATCH', path, { immutable: null }, mergePatch)).status, 422);
    assert.equal((await request(server, 'PATCH', path, { metadata: { labels: { a: 'b' } } }, mergePatch)).status, 200);
  });

  it('takes any key that can be a file name, as data and nothing else', async () => {
    const body = `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"keys"},"stringData":{"__proto__":"p","constructor":"c"}}`;
    const { data } = bodyOf(await request(server, 'POST', secrets, body), 201);
    assert.equal(Object.getOwnPropertyDescriptor(data, '__proto__')?.value, base64('p'));
    assert.equal(data['constructor'], base64('c'));
  });

  it('refuses bad keys and values that weigh too much: 422', async () => {
    const key = bodyOf(await request(server, 'POST', secrets, secret('bad', { stringData: { 'a b': '' } })), 422);
    assert.match(key.message, /data\[a b\]: Invalid value: "a b": a valid config key must consist of/);
    const heavy = secret('heavy', { data: { a: Buffer.alloc(1_048_576).toString('base64') } });
    const size = bodyOf(await request(server, 'POST', secrets, heavy), 422);
    assert.match(size.message, /data: Too long: must have at most 1048575 bytes/);
    const most = secret('most', { data: { a: Buffer.alloc(1_048_575).toString('base64') } });
    bodyOf(await request(server, 'POST', secrets, most), 201);
  });
});
