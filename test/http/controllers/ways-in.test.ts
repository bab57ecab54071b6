import assert from 'node:assert/strict';
import { createClient, hasReason } from '../../../src/client/index.ts';
import { startServer } from '../../../src/testing/index.ts';
import { connectionTo } from '../client/connection-to.ts';
import { until } from '../until.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces', namespaced: false } as const;
const accounts = { group: '', version: 'v1', resource: 'serviceaccounts' } as const;
const pods = { group: '', version: 'v1', resource: 'pods' } as const;

const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };

describe('controllers in the process of a server', () => {
  it('run when they are asked for, and end with the server', async () => {
    const server = await startServer({ controllers: true });
    const client = createClient(connectionTo(server));
    const created = await client.resource(pods).create(pod);
    assert.deepEqual((created['spec'] as { serviceAccountName: string }).serviceAccountName, 'default');
    await client.resource(namespaces).create({ metadata: { name: 'other' } });
    await client.resource(pods).create(pod, { namespace: 'other' });
    await client.resource(accounts).delete('default', { namespace: 'other' });
    await until('another default account', async () => {
      const { items } = await client.resource(accounts).list({ namespace: 'other' });
      return items.length === 1;
    });
    await client.close();
    await server.stop();
  });

  it('do not run by default, so that Pods need no account', async () => {
    await using server = await startServer();
    const client = createClient(connectionTo(server));
    await client.resource(pods).create(pod);
    assert.deepEqual((await client.resource(accounts).list()).items, []);
    await client.close();
  });

  it('are selected as by --controllers', async () => {
    await using server = await startServer({ controllers: ['*', '-serviceaccount-controller'] });
    const client = createClient(connectionTo(server));
    await client.resource(pods).create(pod);
    await assert.rejects(client.resource(accounts).get('default'), (error) => hasReason(error, 'NotFound'));
    await client.close();
    await assert.rejects(startServer({ controllers: ['nobody'] }), /"nobody" is not in the list of known controllers/);
  });
});
