import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { forceFullCollection } from '../../../src/process/force-full-collection.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { longestBlockMs, measureBlocks } from '../../robustness/large-bodies/loop-blocks.ts';
import { define, definitions, versionOf, widgetsAt, widgetsIn } from '../custom-resources/widgets.ts';
import { agentOf, request } from '../http-client.ts';

/** The default of each item; all of them would be 40 MB. */
const text = 'x'.repeat(20_000);
const items = Array.from({ length: 2_000 }, () => ({}));

function definition(group: string, properties: JsonObject): JsonObject {
  const list = { type: 'array', items: { type: 'object', properties } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { list } } };
  const other = versionOf('v2', { schema, storage: false });
  return widgetsIn(group, { versions: [versionOf('v1', { schema }), other] });
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

  for (const version of ['v1', 'v2']) {
    it(`are in memory for some of many stored objects at a time, while these are listed in ${version}`, async () => {
      await listMany(`${version}.example.com`, version);
    });
  }

  async function listMany(group: string, version: string): Promise<void> {
    await define(server, definition(group, { a: { type: 'integer' } }));
    const [objects, itemsOfEach] = [40, 15];
    for (let index = 0; index < objects; index++) {
      const stored = { ...widget, metadata: { name: `w${index}` }, list: items.slice(0, itemsOfEach) };
      assert.equal((await request(server, 'POST', widgetsAt(group), stored)).status, 201);
    }
    // It cannot be compressed: its repetitions are farther from each other than zlib looks.
    const large = randomBytes(30_000).toString('base64');
    const spec = definition(group, { text: { type: 'string', default: large } })['spec'];
    const merge = { 'content-type': 'application/merge-patch+json' };
    const path = `${definitions}/widgets.${group}`;
    assert.equal((await request(server, 'PATCH', path, { spec }, merge)).status, 200);
    const before = buffersInUse();
    const samples: number[] = [];
    const read = () => drain(server, widgetsAt(group, version), () => samples.push(buffersInUse() - before));
    const lengths = await Promise.all([read(), read()]);
    const sum = objects * itemsOfEach * large.length;
    assert.ok(
      lengths.every((length) => length > sum),
      lengths.join(),
    );
    // A sample may contain what became garbage at that moment.
    const median = samples.toSorted((a, b) => a - b)[samples.length >> 1] ?? sum;
    assert.ok(median < sum / 4, `${median} bytes in buffers while ${sum} were read: ${samples.join()}`);
  }
});

/** Bytes of buffers that something still refers to. */
function buffersInUse(): number {
  forceFullCollection();
  return process.memoryUsage().arrayBuffers;
}

/** Reads a response to its end, and calls `sample` every 4 MiB; returns its length. */
async function drain(server: TestServer, path: string, sample: () => unknown): Promise<number> {
  const { body } = await agentOf(server).request({
    origin: server.url,
    path,
    method: 'GET',
    headers: { authorization: `Bearer ${server.token}` },
  });
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (Math.floor(length / 2 ** 22) !== Math.floor((length + chunk.length) / 2 ** 22)) sample();
    length += chunk.length;
  }
  return length;
}
