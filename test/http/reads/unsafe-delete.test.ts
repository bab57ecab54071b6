import assert from 'node:assert/strict';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import { objectKey } from '../../../src/storage/port/object-key.ts';
import { serveStore, type StoreServer } from '../../../src/storage/remote/store-server.ts';
import { startWebhookWorld, type WebhookWorld } from '../admission/webhook-world.ts';
import { cutValue } from '../cut-value.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';

const prefix = '/registry';
const name = 'ignoreStoreReadErrorWithClusterBreakingPotential';
const configMaps = '/api/v1/namespaces/default/configmaps';

/** Options with field 6 alone. */
const message = Buffer.from('k8s\0\n\x13\n\x02v1\x12\rDeleteOptions\x12\x02\x30\x01', 'latin1');
const protobuf = { 'content-type': 'application/vnd.cluster.protobuf' };
const yaml = { 'content-type': 'application/yaml' };

describe('the option to delete what cannot be read', () => {
  let memory: MemoryStore;
  let served: StoreServer;
  let world: WebhookWorld;
  before(async () => {
    memory = new MemoryStore();
    served = await serveStore(memory, '127.0.0.1:0');
    world = await startWebhookWorld({ prefix, store: { kind: 'remote', endpoint: served.endpoint } });
    await world.configure('mutating', 'm', { name: 'm' });
    await world.configure('validating', 'v', { name: 'v' });
  });
  after(async () => {
    await world?.[Symbol.asyncDispose]();
    await served.close();
    await memory.close();
  });

  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    request(world.server, method, path, body, headers);

  const spellings: readonly (readonly [
    format: string,
    query: string,
    body?: unknown,
    type?: Record<string, string>,
  ])[] = [
    ['the query', `?${name}=true`],
    ['JSON', '', { [name]: true }],
    ['YAML', '', `${name}: true\n`, yaml],
    ['Protobuf', '', message, protobuf],
  ];
  for (const [index, [format, query, body, type]] of spellings.entries()) {
    it(`counts in ${format}, and webhooks see it`, async () => {
      const path = `${configMaps}/c${index}`;
      assert.equal((await send('POST', configMaps, { metadata: { name: `c${index}` } })).status, 201);
      await cutValue(memory, objectKey(prefix, { group: '', resource: 'configmaps' }, 'default', `c${index}`));
      await until('the damage', async () => (await send('GET', path)).status === 500);
      world.seen.length = 0;
      const deleted = await send('DELETE', `${path}${query}`, body, type);
      assert.equal(deleted.status, 200, deleted.text);
      assert.equal((await send('GET', path)).status, 404);
      const options = { kind: 'DeleteOptions', apiVersion: 'meta.cl.io/v1', [name]: true };
      assert.deepEqual(
        world.seen.map((review) => [review.path, review.request.operation, review.request.options]),
        [
          ['/m', 'DELETE', options],
          ['/v', 'DELETE', options],
        ],
      );
    });
  }

  it('is shown to webhooks as it was sent, also where it says no', async () => {
    assert.equal((await send('POST', configMaps, { metadata: { name: 'readable' } })).status, 201);
    world.seen.length = 0;
    assert.equal((await send('DELETE', `${configMaps}/readable?${name}=false`)).status, 200);
    assert.equal(world.seen[0]?.request.options?.[name], false);
  });

  it('is described as a parameter of deletes and as a field of their options', async () => {
    const { body } = await send('GET', '/openapi/v2');
    const { paths, definitions } = body as {
      paths: Record<string, Record<string, { parameters?: { name: string; type: string }[] }>>;
      definitions: Record<string, { properties?: Record<string, { type?: string }> }>;
    };
    for (const path of [
      '/api/v1/namespaces/{namespace}/configmaps',
      '/api/v1/namespaces/{namespace}/configmaps/{name}',
    ]) {
      const parameter = paths[path]?.['delete']?.parameters?.find((one) => one.name === name);
      assert.equal(parameter?.type, 'boolean', path);
    }
    const described = Object.entries(definitions).find(([key]) => key.endsWith('.meta.v1.DeleteOptions'));
    assert.equal(described?.[1].properties?.[name]?.type, 'boolean');
  });
});
