import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { define, definitions, versionOf, widgetsAt, widgetsIn } from './widgets.ts';

const group = 'newer.example.com';
const text = { type: 'string', maxLength: 3 };
const spec: JsonObject = {
  type: 'object',
  properties: {
    text,
    texts: { type: 'array', maxItems: 2, items: text },
    map: { type: 'object', maxProperties: 1, additionalProperties: { type: 'integer' } },
    short: { type: 'string', format: 'k8s-short-name' },
    parts: { type: 'array', items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
  },
  'x-cluster-validations': [{ rule: '!has(self.map) || !has(self.map.namespace)' }],
};

function definition(release: string, schema: JsonObject = spec): JsonObject {
  return widgetsIn(`v${release.replace('.', '-')}.${group}`, {
    versions: [versionOf('v1', { schema: { openAPIV3Schema: { type: 'object', properties: { spec: schema } } } })],
  });
}

/** Objects, and the start of their errors under release 1.36. */
const refused: readonly (readonly [spec: JsonObject, error: string])[] = [
  [{ text: 'long' }, 'spec.text: Too long: may not be more than 3 bytes'],
  [{ texts: ['a', 'long'] }, 'spec.texts[1]: Too long: may not be more than 3 bytes'],
  [{ texts: ['a', 'b', 'c'] }, 'spec.texts: Too many: 3: must have at most 2 items'],
  [{ parts: [{ name: 'a' }, {}] }, 'spec.parts[1].name: Required value'],
  [{ short: 'a.b' }, 'spec.short: Invalid value: "a.b": spec.short in body must be of type k8s-short-name: "a.b"'],
];

describe('the errors of custom objects in newer releases', () => {
  let server: TestServer;

  before(async () => {
    server = await startServer({ emulatedRelease: '1.36' });
    await define(server, definition('1.36'));
  });
  after(() => server.stop());

  for (const [given, error] of refused) {
    it(`are those of kube-apiserver: ${error}`, async () => {
      const at = `v1-36.${group}`;
      const object = { apiVersion: `${at}/v1`, kind: 'Widget', metadata: { name: 'a' }, spec: given };
      const response = await request(server, 'POST', widgetsAt(at), object);
      assert.equal(response.status, 422, response.text);
      assert.ok(response.text.includes(JSON.stringify(error).slice(1, -1)), response.text);
    });
  }

  it('come with warnings of formats that nothing checks, once', async () => {
    const odd = definition('1.37', { type: 'object', properties: { a: { type: 'string', format: 'zork' } } });
    const first = await request(server, 'POST', definitions, odd);
    assert.equal(first.status, 201, first.text);
    assert.match(String(first.headers['warning']), /unrecognized format \\"zork\\"/);
    const patch = { metadata: { labels: { a: 'b' } } };
    const headers = { 'content-type': 'application/merge-patch+json' };
    const second = await request(server, 'PATCH', `${definitions}/widgets.v1-37.${group}`, patch, headers);
    assert.equal(second.headers['warning'], undefined);
  });
});
