import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { objectAt, objectsAt } from '../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';

const slices = (version: string): string => `/apis/discovery.cl.io/${version}/namespaces/default/endpointslices`;

describe('the old topology of an endpoint slice', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory', emulatedRelease: '1.21' });
  });
  after(() => server.stop());

  const send = async (method: string, path: string, body?: JsonObject): Promise<JsonObject> => {
    const { status, text, body: answer } = await request(server, method, path, body);
    assert.ok(status < 300, text);
    return answer as JsonObject;
  };
  const slice = (name: string, endpoint: JsonObject): JsonObject => ({
    metadata: { name },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'], ...endpoint }],
  });
  const topologyOf = (object: JsonObject): JsonObject =>
    objectAt(objectsAt(object, 'endpoints')[0] ?? {}, 'deprecatedTopology');

  it('is not written through v1', async () => {
    const written = slice('new', { deprecatedTopology: { rack: 'r', row: 'x' } });
    assert.deepEqual(topologyOf(await send('POST', slices('v1'), written)), {});
    const replaced = slice('new', { deprecatedTopology: { rack: 'r' }, hostname: 'h' });
    assert.deepEqual(topologyOf(await send('PUT', `${slices('v1')}/new`, replaced)), {});
  });

  it('stays in v1 as v1beta1 wrote it, while the endpoints stay', async () => {
    await send('POST', slices('v1beta1'), slice('old', { topology: { rack: 'r', row: 'x' } }));
    const read = await send('GET', `${slices('v1')}/old`);
    assert.deepEqual(topologyOf(read), { rack: 'r', row: 'x' });
    const labelled = { ...read, metadata: { ...objectAt(read, 'metadata'), labels: { a: 'b' } } };
    assert.deepEqual(topologyOf(await send('PUT', `${slices('v1')}/old`, labelled)), { rack: 'r', row: 'x' });
  });
});
