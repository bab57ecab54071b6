import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectsAt, stringAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { define, definitions, versionOf, widgetsAt, widgetsIn } from './widgets.ts';

const group = 'ratchet.example.com';
const collection = widgetsAt(group);
const mergePatch = { 'content-type': 'application/merge-patch+json' };

/** The schema at first, and the stricter one that follows. */
function specSchema(isStrict: boolean): JsonObject {
  const item: JsonObject = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, count: { type: 'integer', ...(isStrict ? { maximum: 5 } : {}) } },
  };
  const spec: JsonObject = {
    type: 'object',
    ...(isStrict ? { required: ['wanted'] } : {}),
    properties: {
      size: { type: 'integer', ...(isStrict ? { maximum: 5 } : {}) },
      note: { type: 'string' },
      wanted: { type: 'string' },
      keyed: {
        type: 'array',
        items: item,
        'x-cluster-list-type': 'map',
        'x-cluster-list-map-keys': ['name'],
      },
      plain: { type: 'array', items: item },
      inner: { type: 'object', additionalProperties: { type: 'integer', ...(isStrict ? { maximum: 5 } : {}) } },
      chosen: {
        type: 'object',
        properties: { a: { type: 'integer' }, b: { type: 'integer' } },
        ...(isStrict ? { allOf: [{ properties: { a: { maximum: 5 } } }] } : {}),
      },
    },
  };
  return { type: 'object', properties: { spec, status: { type: 'object', properties: { n: { type: 'integer' } } } } };
}

const stored: JsonObject = {
  size: 9,
  keyed: [{ name: 'a', count: 9 }],
  plain: [{ name: 'a', count: 9 }],
  inner: { x: 9 },
  chosen: { a: 9 },
};

/** A change of a stored object, and the fields of its errors. */
const changes: readonly (readonly [title: string, patch: JsonObject, fields: readonly string[]])[] = [
  ['labels alone', { metadata: { labels: { a: 'b' } } }, []],
  ['the status alone', { status: { n: 1 } }, []],
  ['another field, without one that is required now', { spec: { note: 'x' } }, ['spec.wanted']],
  ['another field', { spec: { note: 'x', wanted: 'y' } }, []],
  ['the field itself', { spec: { size: 8, wanted: 'y' } }, ['spec.size']],
  ['another entry of a map', { spec: { inner: { y: 1 }, wanted: 'y' } }, []],
  ['an entry of a map', { spec: { inner: { x: 8 }, wanted: 'y' } }, ['spec.inner.x']],
  [
    'the other items of a list with keys',
    {
      spec: {
        keyed: [
          { name: 'b', count: 1 },
          { name: 'a', count: 9 },
        ],
        wanted: 'y',
      },
    },
    [],
  ],
  ['an item of a list with keys', { spec: { keyed: [{ name: 'a', count: 8 }], wanted: 'y' } }, ['spec.keyed.count']],
  [
    'the other items of a list without keys',
    { spec: { plain: [{ name: 'a', count: 9 }, { name: 'b' }], wanted: 'y' } },
    ['spec.plain.count'],
  ],
  ['a sibling inside a combination', { spec: { chosen: { b: 1 }, wanted: 'y' } }, ['<nil>', 'spec.chosen.a']],
];

describe('an update under a schema that has become stricter', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
    const version = (isStrict: boolean): JsonObject =>
      versionOf('v1', { schema: { openAPIV3Schema: specSchema(isStrict) } });
    await define(server, widgetsIn(group, { versions: [version(false)] }));
    for (const index of changes.keys()) {
      const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: `w${index}` }, spec: stored };
      const created = await request(server, 'POST', collection, widget);
      assert.equal(created.status, 201, created.text);
    }
    const stricter = { spec: { versions: [version(true)] } };
    const changed = await request(server, 'PATCH', `${definitions}/widgets.${group}`, stricter, mergePatch);
    assert.equal(changed.status, 200, changed.text);
    await until('the new schema', async () => {
      const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'new' }, spec: stored };
      return (await request(server, 'POST', `${collection}?dryRun=All`, widget)).status === 422;
    });
  });
  after(() => server.stop());

  for (const [index, [title, patch, fields]] of changes.entries()) {
    it(`${fields.length === 0 ? 'may' : 'may not'} change ${title}`, async () => {
      const answer = await request(server, 'PATCH', `${collection}/w${index}`, patch, mergePatch);
      if (fields.length === 0) assert.equal(answer.status, 200, answer.text);
      else {
        assert.equal(answer.status, 422, answer.text);
        const { details } = answer.body as { details: JsonObject };
        const found = objectsAt(details, 'causes').map((cause) => stringAt(cause, 'field'));
        assert.deepEqual(new Set(found), new Set(fields));
      }
    });
  }
});
