import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { nameOf } from '../../../src/meta/object-meta.ts';
import { objectAt, objectsAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { define, versionOf, widgetsAt, widgetsIn } from './widgets.ts';

const group = 'items.example.com';
const count = 300;

describe('the items of a list of custom resources', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
    const versions = [versionOf('v1'), versionOf('v2', { storage: false })];
    await define(server, widgetsIn(group, { versions }));
    for (let index = 0; index < count; index++) {
      const metadata = { name: `w${String(index).padStart(3, '0')}`, labels: { odd: String(index % 2) } };
      const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata, spec: { size: 1 } };
      const created = await request(server, 'POST', widgetsAt(group), widget);
      assert.equal(created.status, 201, created.text);
    }
  });
  after(() => server.stop());

  const queries = [
    '',
    '?limit=7',
    '?labelSelector=odd%3D1',
    '?resourceVersion=0',
    '?resourceVersion=0&labelSelector=odd',
  ];
  for (const version of ['v1', 'v2']) {
    for (const query of queries) {
      it(`have their type, as by kube-apiserver: ${version}${query}`, async () => {
        // Again, because bytes of lists are kept.
        for (let round = 0; round < 3; round++) {
          const list = await request(server, 'GET', `${widgetsAt(group, version)}${query}`);
          assert.equal(list.status, 200, list.text.slice(0, 500));
          const items = objectsAt(list.body as JsonObject, 'items');
          for (const item of items) {
            const { apiVersion, kind, ...rest } = item;
            assert.deepEqual([apiVersion, kind], [`${group}/${version}`, 'Widget']);
            assert.deepEqual(Object.keys(rest).toSorted(), ['metadata', 'spec']);
            const found = await request(server, 'GET', `${widgetsAt(group, version)}/${nameOf(item)}`);
            assert.deepEqual(found.body, item);
            if (items.length > 50) break;
          }
        }
      });
    }
  }

  it('have no Protobuf, and refusals say so in Protobuf', async () => {
    const protobuf = 'application/vnd.cluster.protobuf';
    for (const path of [`${widgetsAt(group)}/w000`, widgetsAt(group)]) {
      const refused = await request(server, 'GET', path, undefined, { accept: protobuf });
      assert.equal(refused.status, 406);
      assert.equal(refused.headers['content-type'], protobuf);
      const types = `application/json, application/yaml, ${protobuf}`;
      assert.ok(refused.text.includes(`only the following media types are accepted: ${types}`), refused.text);
      const other = await request(server, 'GET', path, undefined, { accept: `${protobuf}, application/json` });
      assert.deepEqual([other.status, other.headers['content-type']], [200, 'application/json']);
    }
    const send = (body: Buffer) => request(server, 'POST', widgetsAt(group), body, { 'content-type': protobuf });
    const broken = await send(Buffer.from('clp'));
    assert.equal(broken.status, 400, broken.text);
    assert.match(broken.text, /unrecognized \(must be of type Widget\): .*\(636c70\)/);
    const whole = await send(Buffer.from('6b3873001200', 'hex'));
    assert.equal(whole.status, 400, whole.text);
    assert.match(whole.text, /must be of type Widget\): object \*unstructured\.Unstructured does not implement/);
  });

  it('have their metadata in Protobuf, as informers of metadata read them', async () => {
    const protobuf = 'application/vnd.cluster.protobuf';
    const read = async (path: string, shape: string) => {
      const accept = `${protobuf};as=${shape};g=meta.cl.io;v=v1`;
      const response = await request(server, 'GET', path, undefined, { accept });
      assert.equal(response.status, 200, response.text.slice(0, 500));
      assert.ok(String(response.headers['content-type']).startsWith(protobuf));
      return response.text;
    };
    const one = await read(`${widgetsAt(group)}/w000`, 'PartialObjectMetadata');
    assert.match(one, /^k8s\0.*PartialObjectMetadata.*w000/s);
    const list = await read(`${widgetsAt(group)}?limit=2`, 'PartialObjectMetadataList');
    assert.match(list, /PartialObjectMetadataList.*w000.*w001/s);
    const watch = `${widgetsAt(group)}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dw000`;
    assert.match(await read(watch, 'PartialObjectMetadata'), /ADDED.*PartialObjectMetadata.*w000/s);
    const table = { accept: `${protobuf};as=Table;g=meta.cl.io;v=v1` };
    assert.equal((await request(server, 'GET', widgetsAt(group), undefined, table)).status, 406);
  });

  it('have their metadata alone, if that is asked for', async () => {
    const accept = 'application/json;as=PartialObjectMetadataList;g=meta.cl.io;v=v1';
    const list = await request(server, 'GET', `${widgetsAt(group)}?limit=3`, undefined, { accept });
    assert.equal(list.status, 200, list.text.slice(0, 500));
    const items = objectsAt(list.body as JsonObject, 'items');
    assert.deepEqual(items.map(nameOf), ['w000', 'w001', 'w002']);
    for (const item of items) assert.equal(objectAt(item, 'spec')['size'], undefined);
  });

  it('are rows of Tables', async () => {
    const accept = 'application/json;as=Table;g=meta.cl.io;v=v1';
    const table = await request(server, 'GET', `${widgetsAt(group)}?limit=2`, undefined, { accept });
    assert.equal(table.status, 200, table.text.slice(0, 500));
    const rows = objectsAt(table.body as JsonObject, 'rows');
    assert.deepEqual(
      rows.map((row) => nameOf(objectAt(row, 'object'))),
      ['w000', 'w001'],
    );
  });
});
