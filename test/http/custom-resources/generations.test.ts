import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { define, versionOf, widgetsAt, widgetsIn } from './widgets.ts';

const group = 'generations.example.com';
const types = {
  'application/json-patch+json': (value: JsonValue) => [{ op: 'replace', path: '/spec', value }],
  'application/merge-patch+json': (value: JsonValue) => ({ spec: value }),
};
const spec: JsonObject = {
  type: 'object',
  properties: {
    text: { type: 'string', nullable: true },
    part: { type: 'object', nullable: true, properties: { a: { type: 'string' } } },
    list: { type: 'array', nullable: true, items: { type: 'string' } },
    free: { type: 'object', 'x-cluster-preserve-unknown-fields': true },
  },
};

/** A spec, the next one, and whether a merge patch of it changes nothing. */
const changes: readonly (readonly [JsonObject, JsonObject, boolean?])[] = [
  [{ text: 'a' }, { text: null }],
  [{}, { text: null }, true],
  [{ text: null }, {}, true],
  [{ text: null }, { text: 'a' }],
  [{ part: { a: 'b' } }, { part: null }],
  [{ part: {} }, { part: null }],
  [{}, { part: {} }],
  [{}, { list: [] }],
  [{ list: null }, { list: [] }],
  [{ free: { a: 1 } }, { free: { a: 1, b: null } }, true],
  [{ free: { a: [] } }, { free: { a: {} } }],
  [{ free: { a: [null] } }, { free: { a: [] } }],
];

describe('the generation of a custom object', () => {
  let server: TestServer;
  let count = 0;

  before(async () => {
    server = await startServer();
    const status = { type: 'object', properties: { text: { type: 'string', nullable: true } } };
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec, status } } };
    await define(server, widgetsIn(group, { versions: [versionOf('v1', { schema })] }));
  });
  after(() => server.stop());

  /** Creates an object with these fields, and returns it. */
  async function create(fields: JsonObject): Promise<JsonObject & { readonly metadata: { readonly name: string } }> {
    const name = `w${count++}`;
    const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name }, ...fields };
    const { status, text, body } = await request(server, 'POST', widgetsAt(group), widget);
    assert.equal(status, 201, text);
    return body as JsonObject & { metadata: { name: string } };
  }

  async function expect(generation: number, method: string, name: string, body: unknown, type?: string): Promise<void> {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    const answer = await request(server, method, `${widgetsAt(group)}/${name}`, body, headers);
    assert.equal(answer.status, 200, answer.text);
    const { metadata } = answer.body as { metadata: { generation?: number } };
    assert.equal(metadata.generation, generation, answer.text);
  }

  for (const [old, changed, mergesToSame] of changes) {
    it(`is raised by a change of ${JSON.stringify(old)} to ${JSON.stringify(changed)}`, async () => {
      const replaced = await create({ spec: old });
      await expect(2, 'PUT', replaced.metadata.name, { ...replaced, spec: changed });
      for (const [type, patch] of Object.entries(types)) {
        const { metadata } = await create({ spec: old });
        const isMerge = type.includes('merge');
        await expect(isMerge && mergesToSame ? 1 : 2, 'PATCH', metadata.name, patch(changed), type);
      }
    });
  }

  it('is raised by a status that becomes null, if that is no sub-resource', async () => {
    const { metadata } = await create({ status: {} });
    const patch = [{ op: 'add', path: '/status/text', value: null }];
    await expect(2, 'PATCH', metadata.name, patch, 'application/json-patch+json');
  });

  it('stays when only metadata changes', async () => {
    const { metadata } = await create({ spec: { text: null } });
    const patch = { metadata: { labels: { a: 'b' } } };
    await expect(1, 'PATCH', metadata.name, patch, 'application/merge-patch+json');
  });
});
