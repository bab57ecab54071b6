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

  it('leaves the cached items of other lists and watches as they are, in every format', async () => {
    // So many that the items of lists are joined and kept.
    for (let index = 0; index < 300; index++)
      await server.configMap(`m${index}`, { namespace: 'many', data: { k: 'v' } });
    const many = path.replace('/ns/', '/many/');
    const protobuf = 'application/vnd.kubernetes.protobuf';
    const formats = [
      'application/json',
      protobuf,
      'application/yaml',
      `application/json;as=PartialObjectMetadataList${meta}`,
      `${protobuf};as=PartialObjectMetadataList${meta}`,
    ];
    const read = async (accept: string): Promise<{ bytes: Buffer; managers: number }> => {
      const { status, bytes } = await get(many, accept);
      assert.equal(status, 200, accept);
      return { bytes, managers: bytes.toString('latin1').split('FieldsV1').length - 1 };
    };
    const first = new Map<string, Buffer>();
    for (const round of ['lean first', 'whole again', 'both again']) {
      for (const format of formats) {
        for (const [accept, managers] of [
          [format + drop, 0],
          [format, 300],
        ] as const) {
          const list = await read(accept);
          assert.equal(list.managers, managers, `${round}: ${accept}`);
          assert.deepEqual(list.bytes, first.get(accept) ?? list.bytes, `${round}: ${accept}`);
          first.set(accept, list.bytes);
        }
      }
    }
    const events = await Promise.all(
      [`application/json${drop}`, 'application/json', `application/json${drop}`].map((accept) =>
        get(`${many}?watch=1&resourceVersion=0&timeoutSeconds=1`, accept),
      ),
    );
    assert.deepEqual(
      events.map(({ text }) => [text.split('"ADDED"').length - 1, text.split('FieldsV1').length - 1]),
      [
        [300, 0],
        [300, 300],
        [300, 0],
      ],
    );
  });

  it('leaves live events of other watches as they are', async () => {
    const accepts = [`application/json${drop}`, 'application/json', `application/vnd.kubernetes.protobuf${drop}`];
    const version = (await get(path, 'application/json')).at('metadata.resourceVersion');
    const watches = accepts.map((accept) =>
      get(`${path}?watch=1&resourceVersion=${String(version)}&timeoutSeconds=2`, accept),
    );
    await server.configMap('late', { data: { k: 'v' } });
    const texts = (await Promise.all(watches)).map(({ bytes }) => bytes.toString('latin1'));
    assert.deepEqual(
      texts.map((text) => [text.includes('late'), text.includes('FieldsV1')]),
      [
        [true, false],
        [true, true],
        [true, false],
      ],
    );
  });

  it('is refused another field', async () => {
    assert.equal((await get(path, 'application/json;drop=metadata.labels')).status, 406);
    const fallback = await get(path, 'application/json;drop=data, application/yaml');
    assert.equal(fallback.headers['content-type'], 'application/yaml');
  });
});
