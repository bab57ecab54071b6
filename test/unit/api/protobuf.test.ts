import assert from 'node:assert/strict';
import { at, type Fixture, type Received, startFixture } from './fixture.ts';
import { type Message, readBody, readEvents, writeBody, writeMessage } from './protobuf-messages.ts';

const protobuf = 'application/vnd.kubernetes.protobuf';
const accept = { accept: protobuf };
const collection = '/api/v1/namespaces/ns/configmaps';
const configMapType = { apiVersion: 'v1', kind: 'ConfigMap' };

function configMap(name: string, fields: object = {}): Buffer {
  return writeBody(configMapType, writeMessage('api.core.v1.ConfigMap', { metadata: { name }, ...fields }));
}

/** Sends a Protobuf body and asks for Protobuf. */
function send(server: Fixture, method: string, path: string, body?: Buffer): Promise<Received> {
  return server.send({ method, path, headers: accept, ...(body ? { body, type: protobuf } : {}) });
}

/** The object of an answer in Protobuf. */
function object(response: Received, name = 'api.core.v1.ConfigMap'): Message {
  assert.equal(response.headers['content-type'], protobuf, response.text);
  return readBody(name, response.bytes).object;
}

function status(response: Received): Message {
  return object(response, 'api.meta.v1.Status');
}

describe('a client that speaks Protobuf alone', () => {
  let server: Fixture;
  beforeEach(async () => {
    server = await startFixture();
  });
  afterEach(() => server[Symbol.asyncDispose]());

  it('creates, reads, replaces, patches and deletes', async () => {
    const bytes = Buffer.from([0, 1, 2, 255]);
    const created = await send(
      server,
      'POST',
      collection,
      configMap('a', { data: { k: 'v' }, binaryData: { b: bytes } }),
    );
    assert.equal(created.status, 201);
    assert.equal(at(object(created), 'metadata.name'), 'a');
    const json = await server.send({ path: `${collection}/a` });
    assert.deepEqual([json.at('data'), json.at('binaryData.b')], [{ k: 'v' }, 'AAEC/w==']);
    const got = await send(server, 'GET', `${collection}/a`);
    assert.equal(at(object(got), 'metadata.resourceVersion'), json.at('metadata.resourceVersion'));
    const replaced = await send(server, 'PUT', `${collection}/a`, configMap('a', { data: { k: 'w' } }));
    assert.deepEqual(at(object(replaced), 'data'), { k: 'w' });
    const type = 'application/merge-patch+json';
    const patched = await server.send({
      method: 'PATCH',
      path: `${collection}/a`,
      headers: accept,
      body: { data: { l: 'x' } },
      type,
    });
    assert.deepEqual(at(object(patched), 'data'), { k: 'w', l: 'x' });
    const options = writeMessage('api.meta.v1.DeleteOptions', { preconditions: { uid: 'another' } });
    const refused = await send(
      server,
      'DELETE',
      `${collection}/a`,
      writeBody({ apiVersion: 'v1', kind: 'DeleteOptions' }, options),
    );
    assert.equal(status(refused)['code'], 409);
    assert.equal(status(await send(server, 'DELETE', `${collection}/a`))['status'], 'Success');
    const missing = await send(server, 'GET', `${collection}/a`);
    assert.deepEqual([missing.status, status(missing)['reason']], [404, 'NotFound']);
  });

  it('lists, in pages too', async () => {
    const empty = await send(server, 'GET', collection);
    assert.deepEqual(object(empty, 'api.core.v1.ConfigMapList')['items'], []);
    for (const name of ['a', 'b', 'c']) await send(server, 'POST', collection, configMap(name));
    const names = (response: Received): unknown => {
      const { items } = object(response, 'api.core.v1.ConfigMapList') as { items: readonly Message[] };
      return items.map((item) => at(item, 'metadata.name'));
    };
    assert.deepEqual(names(await send(server, 'GET', collection)), ['a', 'b', 'c']);
    const page = await send(server, 'GET', `${collection}?limit=2`);
    assert.deepEqual(names(page), ['a', 'b']);
    const { metadata } = object(page, 'api.core.v1.ConfigMapList');
    assert.equal(at(metadata, 'remainingItemCount'), 1n);
    const rest = `${collection}?limit=2&continue=${encodeURIComponent(String(at(metadata, 'continue')))}`;
    assert.deepEqual(names(await send(server, 'GET', rest)), ['c']);
  });

  it('watches', async () => {
    await send(server, 'POST', collection, configMap('a'));
    const query =
      'watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const watched = await send(server, 'GET', `${collection}?${query}`);
    assert.equal(watched.headers['content-type'], `${protobuf};stream=watch`);
    const [added, bookmark] = readEvents('api.core.v1.ConfigMap', watched.bytes);
    assert.deepEqual([added?.type, at(added?.body.object, 'metadata.name')], ['ADDED', 'a']);
    assert.deepEqual([added?.body.kind, added?.body.apiVersion], ['ConfigMap', 'v1']);
    assert.equal(bookmark?.type, 'BOOKMARK');
    assert.notEqual(at(bookmark?.body.object, 'metadata.resourceVersion'), '');
  });

  it('gets the metadata alone, in the numbers of each version of the list', async () => {
    await send(server, 'POST', collection, configMap('a', { data: { k: 'v' } }));
    const as = (shape: string, version: string) => ({ accept: `${protobuf};as=${shape};v=${version};g=meta.k8s.io` });
    const one = await server.send({ path: `${collection}/a`, headers: as('PartialObjectMetadata', 'v1') });
    assert.equal(at(object(one, 'api.meta.v1.PartialObjectMetadata'), 'metadata.name'), 'a');
    const path = collection;
    for (const [version, message] of [
      ['v1', 'api.meta.v1.PartialObjectMetadataList'],
      ['v1beta1', 'api.meta.v1beta1.PartialObjectMetadataList'],
    ] as const) {
      const list = await server.send({ path, headers: as('PartialObjectMetadataList', version) });
      const { items, metadata } = object(list, message) as { items: readonly Message[]; metadata: Message };
      assert.deepEqual(
        items.map((item) => at(item, 'metadata.name')),
        ['a'],
      );
      assert.notEqual(metadata['resourceVersion'], '');
    }
  });

  it('scales and binds', async () => {
    const path = '/apis/apps/v1/namespaces/ns/replicasets';
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { replicas: 1, selector: { matchLabels: { app: 'a' } }, template };
    const set = writeMessage('api.apps.v1.ReplicaSet', { metadata: { name: 'a' }, spec });
    assert.equal(
      (await send(server, 'POST', path, writeBody({ apiVersion: 'apps/v1', kind: 'ReplicaSet' }, set))).status,
      201,
    );
    const scale = writeMessage('api.autoscaling.v1.Scale', {
      metadata: { name: 'a', namespace: 'ns' },
      spec: { replicas: 3 },
    });
    const scaled = await send(
      server,
      'PUT',
      `${path}/a/scale`,
      writeBody({ apiVersion: 'autoscaling/v1', kind: 'Scale' }, scale),
    );
    assert.equal(at(object(scaled, 'api.autoscaling.v1.Scale'), 'spec.replicas'), 3);
    assert.equal((await server.send({ path: `${path}/a` })).at('spec.replicas'), 3);
  });

  it('discovers what there is', async () => {
    for (const [path, kind, apiVersion, message] of [
      ['/api', 'APIVersions', '', 'api.meta.v1.APIVersions'],
      ['/apis', 'APIGroupList', 'v1', 'api.meta.v1.APIGroupList'],
      ['/apis/apps', 'APIGroup', 'v1', 'api.meta.v1.APIGroup'],
      ['/api/v1', 'APIResourceList', '', 'api.meta.v1.APIResourceList'],
      ['/apis/apps/v1', 'APIResourceList', 'v1', 'api.meta.v1.APIResourceList'],
    ] as const) {
      const response = await send(server, 'GET', path);
      assert.equal(response.headers['content-type'], protobuf, path);
      const body = readBody(message, response.bytes);
      assert.deepEqual([body.kind, body.apiVersion], [kind, apiVersion], path);
    }
    const { resources } = object(await send(server, 'GET', '/api/v1'), 'api.meta.v1.APIResourceList');
    const pods = (resources as readonly Message[]).find(({ name }) => name === 'pods');
    assert.deepEqual([at(pods, 'kind'), at(pods, 'shortNames'), at(pods, 'namespaced')], ['Pod', ['po'], true]);
    const { items } = at(pods, 'verbs') as { readonly items: readonly string[] };
    assert.ok(items.includes('watch'));
  });

  it('reports mistakes in Protobuf', async () => {
    const broken = await send(server, 'POST', collection, Buffer.from('k8s\0\n\x0f'));
    assert.deepEqual([broken.status, status(broken)['code']], [400, 400]);
    assert.match(String(status(broken)['message']), /must be of type ConfigMap\): unexpected EOF \(6b38/);
    const secret = writeBody(
      { apiVersion: 'v1', kind: 'Secret' },
      writeMessage('api.core.v1.Secret', { metadata: { name: 's' } }),
    );
    assert.equal((await send(server, 'POST', collection, secret)).status, 400);
    const time = writeBody({ apiVersion: 'meta.k8s.io/v1', kind: 'Time' }, Buffer.from([8, 1]));
    assert.equal((await send(server, 'POST', collection, time)).status, 400);
  });

  it('is refused a Table, and what is not an object', async () => {
    const table = `${protobuf};as=Table;v=v1;g=meta.k8s.io`;
    assert.equal((await server.send({ path: collection, headers: { accept: table } })).status, 406);
    const fallback = await server.send({ path: collection, headers: { accept: `${table}, application/json` } });
    assert.equal(fallback.at('kind'), 'ConfigMapList');
    assert.equal(status(await send(server, 'GET', '/version'))['code'], 406);
  });
});
