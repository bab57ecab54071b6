import assert from 'node:assert/strict';
import { type Fixture, startFixture } from './fixture.ts';
import { readBody } from './protobuf-messages.ts';

const path = '/api/v1/namespaces/ns/configmaps';
const drop = ';drop=metadata.managedFields';
const meta = ';v=v1;g=meta.k8s.io';

describe('a client that asks for objects without managed fields', () => {
  let server: Fixture;
  const get = (from: string, accept: string) => server.send({ path: from, headers: { accept } });
  before(async () => {
    server = await startFixture();
    await server.configMap('a', { data: { k: 'v' } });
    await server.configMap('b', { data: { k: 'w' } });
  });
  after(() => server[Symbol.asyncDispose]());

  it('gets them so, alone and in lists, and nothing else changes', async () => {
    const { metadata, ...rest } = (await get(`${path}/a`, 'application/json')).json() as {
      metadata: Record<string, unknown>;
    };
    const { managedFields, ...others } = metadata;
    assert.ok(managedFields);
    const lean = await get(`${path}/a`, `application/json${drop}`);
    assert.deepEqual(lean.json(), { ...rest, metadata: others });
    for (const accept of ['application/json', 'application/yaml']) {
      const list = await get(path, accept + drop);
      assert.ok(!list.text.includes('managedFields'), accept);
      assert.equal(list.text.match(/creationTimestamp/g)?.length, 2);
    }
    assert.ok((await get(path, 'application/json')).text.includes('managedFields'), 'the next client gets all');
  });

  it('gets them so in Protobuf, as metadata and as events', async () => {
    const protobuf = await get(`${path}/a`, `application/vnd.kubernetes.protobuf${drop}`);
    const { object } = readBody('api.core.v1.ConfigMap', protobuf.bytes);
    const { name, managedFields } = object['metadata'] as { name: string; managedFields: readonly unknown[] };
    assert.deepEqual([name, managedFields], ['a', []]);
    const metadata = await get(path, `application/json;as=PartialObjectMetadataList${meta}${drop}`);
    assert.ok(!metadata.text.includes('managedFields'));
    assert.equal(metadata.at('items.1.metadata.name'), 'b');
    const watched = await get(`${path}?watch=1&resourceVersion=0&timeoutSeconds=1`, `application/json${drop}`);
    assert.match(watched.text, /"ADDED"/);
    assert.ok(!watched.text.includes('managedFields'));
  });

  it('is refused another field', async () => {
    assert.equal((await get(path, 'application/json;drop=metadata.labels')).status, 406);
    const fallback = await get(path, 'application/json;drop=data, application/yaml');
    assert.equal(fallback.headers['content-type'], 'application/yaml');
  });
});
