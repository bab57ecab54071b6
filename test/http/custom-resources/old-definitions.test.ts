import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt, objectsAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { type HttpResponse, request } from '../http-client.ts';
import { until } from '../until.ts';
import { definitions, established, widgetsAt } from './widgets.ts';

const mergePatch = { 'content-type': 'application/merge-patch+json' };
const applyPatch = { 'content-type': 'application/apply-patch+yaml' };
const oldDefinitions = '/apis/apiextensions.cl.io/v1beta1/customresourcedefinitions';
const label = { metadata: { labels: { a: 'b' } } };

const structural: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        a: { type: 'string' },
        nested: { type: 'object', properties: { b: { type: 'string' } } },
        list: { type: 'array', items: { type: 'object', properties: { c: { type: 'string' } } } },
      },
    },
  },
};
/** Without the types that a structural schema has. */
const loose: JsonObject = { properties: { spec: { properties: { a: { type: 'string' } } } } };

describe('definitions of v1beta1', () => {
  let server: TestServer;

  before(async () => {
    server = await startServer({ emulatedRelease: '1.21' });
  });
  after(() => server.stop());

  const define = async (group: string, spec: JsonObject): Promise<void> => {
    const names = { plural: 'widgets', kind: 'Widget' };
    const definition = {
      metadata: { name: `widgets.${group}` },
      spec: { group, version: 'v1', scope: 'Namespaced', names, ...spec },
    };
    const created = await request(server, 'POST', oldDefinitions, definition);
    assert.equal(created.status, 201, created.text);
    await established(server, definition);
  };
  const change = (group: string, patch: JsonObject, at = definitions): Promise<HttpResponse> =>
    request(server, 'PATCH', `${at}/widgets.${group}`, patch, mergePatch);
  const specOf = ({ body }: HttpResponse): JsonObject => objectAt(body as JsonObject, 'spec');
  const widget = (group: string, name: string, spec: JsonObject): JsonObject => ({
    apiVersion: `${group}/v1`,
    kind: 'Widget',
    metadata: { name },
    spec,
  });
  const everything: JsonObject = {
    a: 'x',
    list: [{ c: 'x', zork: [null] }],
    nested: { b: 'x', zork: { deep: [1, null] } },
    zork: { deep: [1, null] },
  };

  it('keep the unknown fields of their objects at every depth', async () => {
    const group = 'keeps.example.com';
    await define(group, { validation: { openAPIV3Schema: structural } });
    const created = await request(server, 'POST', widgetsAt(group), widget(group, 'one', everything));
    assert.equal(created.status, 201, created.text);
    assert.equal(created.headers['warning'], undefined);
    assert.deepEqual(specOf(created), everything);
    const path = `${widgetsAt(group)}/one`;
    assert.deepEqual(specOf(await request(server, 'PATCH', path, label, mergePatch)), everything);
    const more = { nested: { zork: { more: 1 } } };
    const applied = await request(server, 'PATCH', `${path}?fieldManager=two`, widget(group, 'one', more), applyPatch);
    assert.equal(applied.status, 200, applied.text);
    assert.deepEqual(specOf(applied)['nested'], { b: 'x', zork: { deep: [1, null], more: 1 } });
  });

  it('prune stored fields when they are read, once they no longer keep them', async () => {
    const group = 'prunes.example.com';
    await define(group, { validation: { openAPIV3Schema: structural } });
    assert.equal((await request(server, 'POST', widgetsAt(group), widget(group, 'one', everything))).status, 201);
    const changed = await change(group, { spec: { preserveUnknownFields: false } });
    assert.equal(changed.status, 200, changed.text);
    const pruned = { a: 'x', list: [{ c: 'x' }], nested: { b: 'x' } };
    await until('the stored fields to be pruned', async () => {
      const { body } = await request(server, 'GET', `${widgetsAt(group)}/one`);
      return objectAt(body as JsonObject, 'spec')['zork'] === undefined;
    });
    assert.deepEqual(specOf(await request(server, 'GET', `${widgetsAt(group)}/one`)), pruned);
    const list = await request(server, 'GET', widgetsAt(group));
    assert.deepEqual(
      objectsAt(list.body as JsonObject, 'items').map((item) => item['spec']),
      [pruned],
    );
    const narrow = objectAt(structural, 'properties', 'spec', 'properties', 'nested');
    const schema = { type: 'object', properties: { spec: { type: 'object', properties: { nested: narrow } } } };
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }];
    assert.equal((await change(group, { spec: { versions } })).status, 200);
    await until('a field that is declared no longer to be pruned', async () => {
      const { body } = await request(server, 'GET', `${widgetsAt(group)}/one`);
      return objectAt(body as JsonObject, 'spec')['a'] === undefined;
    });
    assert.deepEqual(specOf(await request(server, 'GET', `${widgetsAt(group)}/one`)), { nested: { b: 'x' } });
  });

  /** What v1 refuses in a new definition, and what an update may not add to it. */
  const accepted: readonly (readonly [title: string, spec: JsonObject])[] = [
    ['a schema that is not structural', { validation: { openAPIV3Schema: loose } }],
    ['no schema', {}],
    ['an unknown type', { validation: { openAPIV3Schema: { properties: { spec: { type: 'bogus' } } } } }],
  ];
  for (const [index, [title, spec]] of accepted.entries()) {
    it(`can be changed through v1 with ${title}, but not prune then`, async () => {
      const group = `accepted-${index}.example.com`;
      await define(group, spec);
      assert.equal((await change(group, label)).status, 200);
      const renamed = await change(group, { spec: { names: { categories: ['all'] } } });
      assert.equal(renamed.status, 200, renamed.text);
      const put = await request(server, 'PUT', `${definitions}/widgets.${group}`, renamed.body);
      assert.ok(put.status === 200 || put.status === 409, put.text);
      assert.equal((await change(group, { spec: { preserveUnknownFields: false } })).status, 422);
    });
  }

  it('cannot lose through v1 what v1 requires', async () => {
    const group = 'strict.example.com';
    await define(group, { validation: { openAPIV3Schema: structural } });
    const versions = (schema: JsonObject) => ({
      spec: { versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }] },
    });
    assert.equal((await change(group, versions(loose))).status, 422);
    assert.equal(
      (await change(group, { spec: { versions: [{ name: 'v1', served: true, storage: true }] } })).status,
      422,
    );
    const part = { type: 'object', properties: { a: { type: 'string', default: 'x' } } };
    const defaults = { type: 'object', properties: { spec: part } };
    const refused = await change(group, versions(defaults));
    assert.match(refused.text, /must be false in order to use defaults in the schema/);
    assert.equal((await change(group, { spec: { preserveUnknownFields: false } })).status, 200);
    assert.equal((await change(group, { spec: { preserveUnknownFields: true } })).status, 422);
    assert.equal((await change(group, versions(defaults))).status, 200);
    // v1beta1 forbids defaults, but not those that are there.
    assert.equal((await change(group, label, oldDefinitions)).status, 200);
  });
});
