import assert from 'node:assert/strict';
import { CborReader } from '../../../src/codec/cbor/cbor-reader.ts';
import { CborWriter } from '../../../src/codec/cbor/cbor-writer.ts';
import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import { customKind } from './custom-kind.ts';
import { at, type Fixture, identifiers, type Received, startFixture } from './fixture.ts';
import { builtInCatalogue } from '../../../src/catalogue/definitions.ts';

const cbor = 'application/cbor';
const collection = '/api/v1/namespaces/ns/configmaps';

function written(value: JsonObject): Buffer {
  const writer = new CborWriter();
  writer.value(value, undefined);
  return writer.finish();
}

function read(bytes: Buffer): JsonValue {
  return new CborReader(bytes).document(undefined);
}

/** The documents of a sequence; each begins with the tag of CBOR and an event of two fields. */
function eventsIn(bytes: Buffer): readonly JsonValue[] {
  const starts: number[] = [];
  const start = Buffer.from('d9d9f7a24474797065', 'hex');
  for (let found = bytes.indexOf(start); found >= 0; found = bytes.indexOf(start, found + 1)) starts.push(found);
  return starts.map((from, index) => read(bytes.subarray(from, starts[index + 1] ?? bytes.length)));
}

function object(response: Received): JsonValue {
  assert.equal(response.headers['content-type'], cbor, response.text);
  return read(response.bytes);
}

const configMap = (name: string, fields: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...fields,
});

describe('a client that speaks CBOR alone', () => {
  let server: Fixture;
  before(async () => {
    const catalogue = builtInCatalogue(identifiers);
    catalogue.put({ ...customKind('example.com', 'gizmos'), isCustom: true });
    server = await startFixture({ cbor: true, catalogue });
  });
  after(() => server[Symbol.asyncDispose]());

  function send(method: string, path: string, body?: Buffer, type = cbor): Promise<Received> {
    return server.send({ method, path, headers: { accept: cbor }, ...(body ? { body, type } : {}) });
  }

  it('creates, reads, replaces, applies and deletes', async () => {
    const fields = { data: { k: 'v' }, binaryData: { b: 'AAEC/w==' } };
    const created = await send('POST', collection, written(configMap('a', fields)));
    assert.equal(created.status, 201);
    assert.equal(at(object(created), 'metadata.name'), 'a');
    // Bytes are bytes, with the tag of base64 in JSON.
    assert.ok(created.bytes.includes(Buffer.from('d6440001 02ff'.replaceAll(' ', ''), 'hex')));
    const json = await server.send({ path: `${collection}/a` });
    assert.deepEqual(json.json(), object(await send('GET', `${collection}/a`)));
    const replaced = await send('PUT', `${collection}/a`, written(configMap('a', { data: { k: 'w' } })));
    assert.deepEqual(at(object(replaced), 'data'), { k: 'w' });
    const applied = await send(
      'PATCH',
      `${collection}/a?fieldManager=m`,
      written(configMap('a', { data: { l: 'x' } })),
      'application/apply-patch+cbor',
    );
    assert.deepEqual(at(object(applied), 'data'), { k: 'w', l: 'x' });
    const options = written({ apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'another' } });
    assert.equal(at(object(await send('DELETE', `${collection}/a`, options)), 'code'), 409);
    assert.equal(at(object(await send('DELETE', `${collection}/a`)), 'status'), 'Success');
    const missing = await send('GET', `${collection}/a`);
    assert.deepEqual([missing.status, at(object(missing), 'reason')], [404, 'NotFound']);
  });

  it('lists, in pages, as metadata, as a Table and without items', async () => {
    const listed = '/api/v1/namespaces/lists/configmaps';
    assert.deepEqual(at(object(await send('GET', listed)), 'items'), []);
    for (const name of ['a', 'b', 'c']) await server.configMap(name, { namespace: 'lists' });
    const whole = await send('GET', listed);
    const json = await server.send({ path: listed });
    assert.deepEqual(object(whole), json.json());
    const page = object(await send('GET', `${listed}?limit=2`));
    assert.equal(at(page, 'metadata.remainingItemCount'), 1);
    for (const shape of ['Table', 'PartialObjectMetadataList']) {
      const as = (type: string) => ({ accept: `${type};as=${shape};v=v1;g=meta.k8s.io` });
      const shaped = await server.send({ path: listed, headers: as(cbor) });
      const expected = await server.send({ path: listed, headers: as('application/json') });
      assert.deepEqual(object(shaped), expected.json());
    }
  });

  it('watches a sequence of events', async () => {
    const watchedMaps = '/api/v1/namespaces/watched/configmaps';
    await server.configMap('a', { namespace: 'watched' });
    const query =
      'watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1';
    const watched = await send('GET', `${watchedMaps}?${query}`);
    assert.equal(watched.headers['content-type'], 'application/cbor-seq');
    const [added, bookmark] = eventsIn(watched.bytes);
    assert.deepEqual([at(added, 'type'), at(added, 'object.metadata.name')], ['ADDED', 'a']);
    assert.equal(at(bookmark, 'type'), 'BOOKMARK');
    assert.deepEqual((at(bookmark, 'object.metadata.annotations') as JsonObject)['k8s.io/initial-events-end'], 'true');
    const named = await server.send({ path: `${watchedMaps}?watch=1`, headers: { accept: 'application/cbor-seq' } });
    assert.equal(named.status, 406);
  });

  it('reads and writes custom kinds', async () => {
    const path = '/apis/example.com/v1/namespaces/ns/gizmos';
    const gizmo = { apiVersion: 'example.com/v1', kind: 'Gizmo', metadata: { name: 'a' } };
    const created = await send('POST', path, written(gizmo));
    assert.equal(at(object(created), 'metadata.name'), 'a', created.text);
    const list = object(await send('GET', path));
    assert.equal(at(list, 'items.0.kind'), 'Gizmo');
    const json = `{"apiVersion":"example.com/v1","kind":"Gizmo","metadata":{"name":"b"},"large":1${'0'.repeat(30)}}`;
    assert.equal((await server.send({ method: 'POST', path, body: json, type: 'application/json' })).status, 201);
    assert.equal(at(object(await send('GET', `${path}/b`)), 'large'), 1e30);
    assert.equal(at(object(await send('GET', `${path}/a`)), 'metadata.name'), 'a');
  });

  it('gets errors that name the problem', async () => {
    const refusals: readonly (readonly [body: Buffer, message: RegExp])[] = [
      [Buffer.from('{}'), /unable to determine group\/version\/kind: cbor: 1 bytes of|unexpected EOF/],
      [Buffer.from('a241610141616101', 'hex'), /cbor: found duplicate map key "a" at map element index 1/],
      [Buffer.from('80', 'hex'), /cannot unmarshal array into an object/],
      [Buffer.alloc(0), /unable to determine group\/version\/kind: EOF/],
    ];
    for (const [body, message] of refusals) {
      const refused = await send('POST', collection, body);
      assert.equal(refused.status, 400);
      assert.match(String(at(object(refused), 'message')), message);
    }
    const unknown = await send('POST', `${collection}?fieldValidation=Strict`, written(configMap('a', { zork: 1 })));
    assert.match(String(at(object(unknown), 'message')), /strict decoding error: unknown field "zork"/);
  });

  it('finds the format in refusals and in OpenAPI', async () => {
    const formats = 'application/json, application/yaml, application/vnd.kubernetes.protobuf, application/cbor';
    const refused = await server.send({ path: collection, headers: { accept: 'text/html' } });
    assert.equal(refused.at('message'), `only the following media types are accepted: ${formats}`);
    const watch = await server.send({ path: `${collection}?watch=1`, headers: { accept: 'application/yaml' } });
    assert.match(watch.text, /protobuf;stream=watch, application\/cbor-seq\b/);
    const patch = await server.send({ method: 'PATCH', path: `${collection}/a`, body: '{}', type: 'text/html' });
    assert.match(String(patch.at('message')), /application\/apply-patch\+yaml, application\/apply-patch\+cbor$/);
    const { text } = await server.send({ path: '/openapi/v2' });
    assert.ok(text.includes('"application/apply-patch+cbor"') && text.includes('"application/cbor-seq"'));
  });
});

describe('a server without CBOR', () => {
  it('answers 406 and 415', async () => {
    await using server = await startFixture();
    const refused = await server.send({ path: collection, headers: { accept: cbor } });
    assert.equal(refused.status, 406);
    const body = written(configMap('a'));
    assert.equal((await server.send({ method: 'POST', path: collection, body, type: cbor })).status, 415);
    const apply = { method: 'PATCH', path: `${collection}/a?fieldManager=m`, type: 'application/apply-patch+cbor' };
    assert.equal((await server.send({ ...apply, body })).status, 415);
    const { text } = await server.send({ path: '/openapi/v2' });
    assert.ok(!text.includes('cbor'));
  });
});
