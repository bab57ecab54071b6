import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { longestBlockMs, measureBlocks } from '../../robustness/large-bodies/loop-blocks.ts';
import { define, definitions, versionOf, widgetsAt, widgetsIn } from '../custom-resources/widgets.ts';
import { request } from '../http-client.ts';

/** The default of each item; all of them would be 40 MB. */
const text = 'x'.repeat(20_000);
const items = Array.from({ length: 2_000 }, () => ({}));

function definition(group: string, properties: JsonObject): JsonObject {
  const list = { type: 'array', items: { type: 'object', properties } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { list } } };
  return widgetsIn(group, { versions: [versionOf('v1', { schema })] });
}

const withDefault: JsonObject = { text: { type: 'string', default: text }, a: { type: 'integer' } };
const widget = { kind: 'Widget', metadata: { name: 'a' }, list: items };

describe('defaults that are more than a body may be', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
  });
  after(() => server.stop());

  it('refuse a create with 413, before they are copied', async () => {
    await define(server, definition('creates.example.com', withDefault));
    const create = () => request(server, 'POST', widgetsAt('creates.example.com'), widget);
    const { result, blockMs } = await measureBlocks(create);
    const { status, text: answer } = result;
    assert.equal(status, 413, answer.slice(0, 500));
    assert.match(answer, /the defaults of its schema add more than 3145728 bytes/);
    assert.ok(blockMs < longestBlockMs, `${blockMs} ms`);
  });

  it('leave an object that was stored before as it is, without fields that are no longer declared', async () => {
    const group = 'reads.example.com';
    await define(server, definition(group, { a: { type: 'integer' }, old: { type: 'string' } }));
    const stored = { ...widget, list: [{ a: 1, old: 'x' }, ...items] };
    assert.equal((await request(server, 'POST', widgetsAt(group), stored)).status, 201);
    const path = `${definitions}/widgets.${group}`;
    const patch = { spec: definition(group, withDefault)['spec'] };
    const merge = { 'content-type': 'application/merge-patch+json' };
    assert.equal((await request(server, 'PATCH', path, patch, merge)).status, 200);
    const { status, text: answer } = await request(server, 'GET', widgetsAt(group));
    assert.equal(status, 200);
    assert.ok(answer.length < 100_000, `${answer.length} bytes`);
    assert.ok(answer.includes('{"a":1}'), 'the item without the field that was removed');
    assert.equal((await request(server, 'DELETE', `${widgetsAt(group)}/a`)).status, 200);
  });
});
