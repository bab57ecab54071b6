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
