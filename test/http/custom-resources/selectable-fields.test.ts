import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { nameOf } from '../../../src/meta/object-meta.ts';
import { objectsAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { readEvents, request } from '../http-client.ts';
import { until } from '../until.ts';
import { define, definitions, versionOf, widgetsAt, widgetsIn } from './widgets.ts';

const group = 'fields.example.com';
const collection = widgetsAt(group);
const selectableFields = [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.size' }];
const mergePatch = { 'content-type': 'application/merge-patch+json' };

/** Selectable fields, and the errors of a definition with them. */
const refused: readonly (readonly [title: string, paths: readonly string[], errors: readonly string[]])[] = [
  ['no path', [''], ['spec.selectableFields[0].jsonPath: Required value']],
  [
    'a field that the schema does not declare',
    ['.spec.zork'],
    [
      'spec.selectableFields[0].jsonPath: Invalid value: ".spec.zork": is an invalid path: does not refer to a valid field',
    ],
  ],
  [
    'an item of a list',
    ['.spec.tags[0]'],
    [
      'spec.selectableFields[0].jsonPath: Invalid value: ".spec.tags[0]": is an invalid path: array notation is not allowed',
    ],
  ],
  [
    'metadata',
    ['.metadata.name'],
    [
      'spec.selectableFields[0].jsonPath: Invalid value: ".metadata.name": is an invalid path: does not refer to a valid field',
    ],
  ],
  [
    'the same field twice',
    ['.spec.color', '.spec.color'],
    ['spec.selectableFields[1].jsonPath: Duplicate value: ".spec.color"'],
  ],
];

describe('the selectable fields of a custom kind', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory', emulatedRelease: '1.36' });
    await define(server, widgetsIn(group, { versions: [versionOf('v1', { selectableFields })] }));
    for (const [name, spec] of [
      ['a', { size: 1 }],
      ['b', { size: 2 }],
      ['c', { size: 1, color: 'blue' }],
    ] as const) {
      const created = await request(server, 'POST', collection, { ...widget, metadata: { name }, spec });
      assert.equal(created.status, 201, created.text);
    }
  });
  after(() => server.stop());

  const widget = { apiVersion: `${group}/v1`, kind: 'Widget' };
  const list = async (selector: string): Promise<readonly string[]> => {
    const found = await request(server, 'GET', `${collection}?fieldSelector=${encodeURIComponent(selector)}`);
    assert.equal(found.status, 200, found.text);
    return objectsAt(found.body as JsonObject, 'items').map(nameOf);
  };

  it('select objects in lists', async () => {
    assert.deepEqual(await list('spec.size=1'), ['a', 'c']);
    assert.deepEqual(await list('spec.size=1,spec.color!=blue'), ['a']);
    assert.deepEqual(await list('spec.color=red,metadata.name=b'), ['b']);
  });

  it('select the events of watches', async () => {
    const watch = readEvents(server, `${collection}?watch=true&resourceVersion=0&fieldSelector=spec.size%3D2`);
    await until('the first event', () => watch.events.length === 1);
    for (const size of [2, 3]) await request(server, 'PATCH', `${collection}/a`, { spec: { size } }, mergePatch);
    await until('three events', () => watch.events.length === 3);
    watch.stop();
    assert.deepEqual(
      watch.events.map(({ type }) => type),
      ['ADDED', 'ADDED', 'DELETED'],
    );
    await request(server, 'PATCH', `${collection}/a`, { spec: { size: 1 } }, mergePatch);
  });

  it('select the objects of a deletion', async () => {
    const created = { ...widget, metadata: { name: 'd' }, spec: { size: 7 } };
    await request(server, 'POST', collection, created);
    const deleted = await request(server, 'DELETE', `${collection}?fieldSelector=spec.size%3D7`);
    assert.deepEqual(objectsAt(deleted.body as JsonObject, 'items').map(nameOf), ['d']);
    assert.deepEqual(await list('spec.size=1'), ['a', 'c']);
  });

  it('are all that selectors may name besides names and namespaces', async () => {
    const failed = await request(server, 'GET', `${collection}?fieldSelector=spec.code%3Dx`);
    assert.equal(failed.status, 400);
    assert.match(failed.text, /field label not supported: spec\.code/);
  });

  for (const [title, paths, errors] of refused) {
    it(`may not be ${title}`, async () => {
      const fields = paths.map((jsonPath) => ({ jsonPath }));
      const definition = widgetsIn('refused.example.com', {
        versions: [versionOf('v1', { selectableFields: fields })],
      });
      const answer = await request(server, 'POST', definitions, definition);
      assert.equal(answer.status, 422, answer.text);
      const { causes } = (answer.body as { details: { causes: { field: string; message: string }[] } }).details;
      assert.deepEqual(
        causes.map(({ field, message }) => `${field}: ${message}`),
        errors,
      );
    });
  }
});
