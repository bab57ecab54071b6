import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { longestBlockMs, measureBlocks } from '../../robustness/large-bodies/loop-blocks.ts';
import { threadCpuMs } from '../../thread-cpu.ts';
import { define, versionOf, widgetsAt, widgetsIn } from '../custom-resources/widgets.ts';
import { request } from '../http-client.ts';

const group = 'versions.example.com';
const entries = 10_000;
const versions = Array.from({ length: 30 }, (_, index) => `v${index + 1}`);

interface Stored extends JsonObject {
  readonly metadata: JsonObject & { readonly managedFields: JsonObject[] };
}

/** The entry of a manager that applied one key in a version. */
function managerOf(version: string, key: string): JsonObject {
  return {
    manager: version,
    operation: 'Apply',
    apiVersion: `${group}/${version}`,
    time: '2001-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { [`f:${key}`]: {} } },
  };
}

describe('an apply to an object whose managers use many versions', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
    const free = { type: 'object', additionalProperties: { type: 'string' } };
    const schema = { openAPIV3Schema: { type: 'object', properties: { data: free } } };
    const served = versions.map((name) => versionOf(name, { schema, storage: name === 'v1' }));
    await define(server, widgetsIn(group, { versions: served }));
  });
  after(() => server.stop());

  const apply = (version: string, manager: string, data: JsonObject, name = 'a') =>
    request(
      server,
      'PATCH',
      `${widgetsAt(group, version)}/${name}?fieldManager=${manager}&force=true`,
      { apiVersion: `${group}/${version}`, kind: 'Widget', metadata: { name }, data },
      { 'content-type': 'application/apply-patch+yaml' },
    );

  it('costs little more than one version, and yields to other requests', async () => {
    const data = Object.fromEntries(Array.from({ length: entries }, (_, index) => [`key${index}`, 'value']));
    assert.equal((await apply('v1', 'first', data)).status, 201);
    const stored = JSON.parse((await request(server, 'GET', `${widgetsAt(group)}/a`)).text) as Stored;
    const managers = versions.slice(1).map((version, index) => managerOf(version, `key${index + 1}`));
    const metadata = { ...stored.metadata, managedFields: [...stored.metadata.managedFields, ...managers] };
    assert.equal((await request(server, 'PUT', `${widgetsAt(group)}/a`, { ...stored, metadata })).status, 200);
    // One is owned by the applying manager alone, the other one by a manager of another version, too.
    const { key0: _, key1: _of2, ...less } = data;
    const before = threadCpuMs();
    const { result, blockMs } = await measureBlocks(() => apply('v1', 'first', less));
    const cpuMs = threadCpuMs() - before;
    const { status, text } = result;
    assert.equal(status, 200, text.slice(0, 500));
    const { data: left } = JSON.parse(text) as { data: JsonObject };
    assert.equal(Object.keys(left).length, entries - 1);
    assert.equal(left['key1'], 'value');
    assert.ok(blockMs < longestBlockMs, `${blockMs} ms`);

    assert.equal((await apply('v1', 'first', data, 'b')).status, 201);
    const start = threadCpuMs();
    assert.equal((await apply('v1', 'first', less, 'b')).status, 200);
    const aloneMs = threadCpuMs() - start;
    assert.ok(cpuMs < 8 * aloneMs, `${cpuMs} ms of CPU, ${aloneMs} ms without other versions`);
  });
});
