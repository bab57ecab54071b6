import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';

describe('NamespaceAutoProvision', () => {
  let server: TestServer;
  before(async () => {
    const admissionPlugins = { enabled: ['NamespaceAutoProvision'], disabled: [] };
    server = await startServer({ admissionPlugins, store: 'memory' });
  });
  after(() => server.stop());

  const create = async (namespace: string, name: string, query = ''): Promise<number> =>
    (await request(server, 'POST', `/api/v1/namespaces/${namespace}/configmaps${query}`, { metadata: { name } }))
      .status;
  const statusOf = async (namespace: string): Promise<number> =>
    (await request(server, 'GET', `/api/v1/namespaces/${namespace}`)).status;

  it('creates the missing namespace of new objects, also of concurrent ones', async () => {
    const statuses = await Promise.all(['a', 'b', 'c'].map((name) => create('new', name)));
    assert.deepEqual(statuses, [201, 201, 201]);
    assert.equal(await statusOf('new'), 200);
  });

  it('refuses the object if its namespace cannot be created', async () => {
    const path = '/api/v1/namespaces/Not_A_Name/configmaps';
    const { status, text } = await request(server, 'POST', path, { metadata: { name: 'c' } });
    assert.equal(status, 403, text);
    assert.match(text, /configmaps \\"c\\" is forbidden: Namespace \\"Not_A_Name\\" is invalid: metadata.name: /);
  });

  it('creates none for a dry run or an object without namespace', async () => {
    assert.equal(await create('dry', 'a', '?dryRun=All'), 404);
    assert.equal(await statusOf('dry'), 404);
    assert.equal((await request(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'own' } })).status, 201);
  });
});
