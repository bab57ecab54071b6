import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { type Fixture, itemNames, startFixture } from './fixture.ts';

const collection = '/api/v1/namespaces/ns/configmaps';
const as = (shape: string, version = 'v1') => ({ accept: `application/json;as=${shape};v=${version};g=meta.k8s.io` });

describe('answers', () => {
  let server: Fixture;

  before(async () => {
    server = await startFixture();
    await server.configMap('a', { data: { k: 'v' } });
    await server.configMap('b');
  });
  after(() => server[Symbol.asyncDispose]());

  it('are indented where pretty asks for it or a person looks', async () => {
    const path = `${collection}/a`;
    const plain = await server.send({ path });
    const expected = JSON.stringify(plain.json(), null, 2);
    assert.equal((await server.send({ path: `${path}?pretty=true` })).text, expected);
    assert.equal((await server.send({ path, headers: { 'user-agent': 'curl/8.0' } })).text, expected);
    assert.equal(
      (await server.send({ path: `${path}?pretty=0`, headers: { 'user-agent': 'curl/8.0' } })).text,
      plain.text,
    );
    const list = await server.send({ path: collection });
    const prettyList = await server.send({ path: `${collection}?pretty=1` });
    assert.equal(prettyList.text, JSON.stringify(list.json(), null, 2));
    const empty = await server.send({ path: '/api/v1/namespaces/none/configmaps?pretty=1' });
    assert.equal(empty.text, JSON.stringify(empty.json(), null, 2));
    const missing = await server.send({ path: `${collection}/zzz?pretty=1` });
    assert.equal(missing.text, JSON.stringify(missing.json(), null, 2));
  });

  it('are the same bytes wherever the object lies in memory', async () => {
    const path = (name: string) => `/api/v1/namespaces/slabs/configmaps/${name}`;
    for (const name of ['a', 'b', 'c']) {
      await server.configMap(name, { namespace: 'slabs', data: { k: 'ä'.repeat(20_000) } });
    }
    const alone = await server.send({ path: path('b') });
    // A list so long leaves the items lying behind one another in the copy that was made for it.
    const list = await server.send({ path: '/api/v1/namespaces/slabs/configmaps' });
    const amongOthers = await server.send({ path: path('b') });
    assert.equal(amongOthers.text, alone.text);
    assert.equal(amongOthers.headers['content-length'], alone.headers['content-length']);
    assert.equal((await server.send({ path: `${path('b')}?resourceVersion=0` })).text, alone.text);
    assert.deepEqual(itemNames(list), ['a', 'b', 'c']);
    const head = await server.send({ method: 'HEAD', path: path('b') });
    assert.equal(head.headers['content-length'], alone.headers['content-length']);
  });

  it('come in YAML', async () => {
    const response = await server.send({ path: `${collection}/a`, headers: { accept: 'application/yaml' } });
    assert.equal(response.headers['content-type'], 'application/yaml');
    assert.match(response.text, /^apiVersion: v1\ndata:\n  k: v\nkind: ConfigMap\n/);
    const list = await server.send({ path: collection, headers: { accept: 'application/yaml' } });
    assert.match(list.text, /kind: ConfigMapList\n/);
  });

  const accepts: readonly [accept: string, status: number, path?: string][] = [
    ['*/*', 200],
    ['application/*', 200],
    ['application/vnd.kubernetes.protobuf, application/json', 200],
    ['text/html, application/json;q=0.5', 200],
    ['application/json;q=0', 406],
    ['text/html', 406],
    ['garbage', 406],
    ['application/json;as=Table;v=v1;g=zork', 406],
    ['application/json;as=Table;v=v1;g=zork,application/json', 200],
    ['application/json;as=Zork;v=v1;g=meta.k8s.io', 406],
    ['application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io', 406],
    ['application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', 406, collection],
    ['application/json;as=Table;v=v1;g=meta.k8s.io', 406, '/apis/apps'],
    ['application/json;stream=zork', 406],
    ['application/json;as=', 200],
    ['application/json;g=meta.k8s.io;v=v1', 406],
    ['application/json;v=v1', 406, '/apis/apps'],
    [',,,;;;,', 406],
  ];
  for (const [accept, status, path = `${collection}/a`] of accepts) {
    it(`answer ${status} to Accept: ${accept} on ${path}`, async () => {
      assert.equal((await server.send({ path, headers: { accept } })).status, status);
    });
  }

  it('come in the format that was asked for when they are errors too, and in JSON rather than not at all', async () => {
    const missing = (accept: string) => server.send({ path: `${collection}/zzz`, headers: { accept } });
    const yaml = await missing('application/yaml');
    assert.equal(yaml.status, 404);
    assert.equal(yaml.headers['content-type'], 'application/yaml');
    assert.match(yaml.text, /^apiVersion: v1\ncode: 404\n/);
    for (const accept of ['image/png', 'application/json;as=Table;v=v1;g=meta.k8s.io', 'junk']) {
      const json = await missing(accept);
      assert.equal(json.headers['content-type'], 'application/json', accept);
      assert.equal(json.at('kind'), 'Status');
    }
  });

  it('come as Tables of objects and of lists', async () => {
    const one = await server.send({ path: `${collection}/a`, headers: as('Table') });
    assert.equal(one.at('kind'), 'Table');
    assert.equal(one.at('apiVersion'), 'meta.k8s.io/v1');
    assert.equal(one.at('rows.0.cells.0'), 'a');
    assert.equal(one.at('rows.0.object.kind'), 'PartialObjectMetadata');
    const list = await server.send({
      path: `${collection}?includeObject=Object&limit=1`,
      headers: as('Table', 'v1beta1'),
    });
    assert.equal(list.at('apiVersion'), 'meta.k8s.io/v1beta1');
    assert.equal(list.at('rows.0.object.kind'), 'ConfigMap');
    assert.equal(list.at('rows.1'), undefined);
    assert.equal(typeof list.at('metadata.continue'), 'string');
    const bad = await server.send({ path: `${collection}?includeObject=Zork`, headers: as('Table') });
    assert.equal(bad.status, 400);
  });

  it('come as metadata alone', async () => {
    const one = await server.send({ path: `${collection}/a`, headers: as('PartialObjectMetadata') });
    assert.deepEqual(Object.keys(one.json()), ['kind', 'apiVersion', 'metadata']);
    const list = await server.send({ path: collection, headers: as('PartialObjectMetadataList') });
    assert.deepEqual(itemNames(list), ['a', 'b']);
    assert.equal(list.at('items.0.kind'), 'PartialObjectMetadata');
  });

  for (const [format, items] of [
    ['json', /"items":null\}\n$/],
    ['yaml', /\nitems: null\nkind: /],
  ] as const) {
    it(`come as null where there is no metadata at all, in ${format}`, async () => {
      const none = `${collection}?labelSelector=on=none`;
      const headers = { accept: as('PartialObjectMetadataList').accept.replace('json', format) };
      assert.match((await server.send({ path: none, headers })).text, items);
      const rows = await server.send({ path: none, headers: as('Table') });
      assert.deepEqual(rows.at('rows'), []);
    });
  }

  it('are refused in formats that nobody writes before they are looked at, without a warning', async () => {
    const headers = { accept: 'text/html' };
    for (const path of [`${collection}/zzz`, '/apis/policy/v1beta1/namespaces/x/poddisruptionbudgets/..']) {
      const refused = await server.send({ path, headers });
      assert.equal(refused.status, 406, path);
      assert.deepEqual(refused.at('details'), {});
      assert.equal(refused.headers['warning'], undefined);
    }
    const missing = await server.send({ path: '/api/v1/zorks', headers });
    assert.equal(missing.status, 404);
    const shape = await server.send({ path: collection, headers: { accept: 'application/json;as=Zork' } });
    assert.equal(shape.at('details'), undefined);
  });

  it('are a Status for a delete even where a Table was asked for', async () => {
    await server.configMap('gone');
    const response = await server.send({ method: 'DELETE', path: `${collection}/gone`, headers: as('Table') });
    assert.equal(response.at('kind'), 'Status');
  });

  describe('that are long', () => {
    const path = '/api/v1/namespaces/big/configmaps';
    const count = 400;

    before(async () => {
      const data = { text: 'lorem ipsum '.repeat(200) };
      for (let index = 0; index < count; index++) {
        await server.configMap(`c${String(index).padStart(4, '0')}`, { namespace: 'big', data });
      }
    });

    it('are whole, with their length, and compressed only where the client takes gzip', async () => {
      const plain = await server.send({ path });
      assert.equal(Number(plain.headers['content-length']), plain.bytes.length);
      assert.ok(plain.bytes.length > 900_000);
      assert.equal(itemNames(plain).length, count);
      const packed = await server.send({ path, headers: { 'accept-encoding': 'gzip' } });
      assert.equal(packed.headers['content-encoding'], 'gzip');
      assert.ok(packed.bytes.length < plain.bytes.length / 5);
      assert.equal(gunzipSync(packed.bytes).toString(), plain.text);
      const refused = await server.send({ path, headers: { 'accept-encoding': 'gzip;q=0, br' } });
      assert.equal(refused.headers['content-encoding'], undefined);
    });

    it('are reformatted whole', async () => {
      const plain = await server.send({ path });
      const pretty = await server.send({ path: `${path}?pretty=true` });
      assert.equal(pretty.text, JSON.stringify(plain.json(), null, 2));
      const table = await server.send({ path, headers: { ...as('Table'), 'accept-encoding': 'gzip' } });
      assert.equal(JSON.parse(gunzipSync(table.bytes).toString()).rows.length, count);
    });

    it('answer HEAD with their length and nothing else', async () => {
      const head = await server.send({ method: 'HEAD', path });
      assert.ok(Number(head.headers['content-length']) > 900_000);
      assert.equal(head.bytes.length, 0);
    });
  });

  it('of deletecollection are the objects that went', async () => {
    await server.configMap('x', { namespace: 'dc' });
    await server.configMap('y', { namespace: 'dc' });
    const response = await server.send({ method: 'DELETE', path: '/api/v1/namespaces/dc/configmaps' });
    assert.equal(response.status, 200);
    assert.equal(response.at('kind'), 'ConfigMapList');
    assert.deepEqual(itemNames(response), ['x', 'y']);
    assert.deepEqual(itemNames(await server.send({ path: '/api/v1/namespaces/dc/configmaps' })), []);
  });
});
