import assert from 'node:assert/strict';
import { startServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';

const merge = { 'content-type': 'application/merge-patch+json' };
const pod = '/api/v1/namespaces/default/pods/p';
const quotas = '/api/v1/namespaces/default/resourcequotas';
const quota = `${quotas}/q`;

describe('the controller of quotas', () => {
  it('counts again after an update that changes a use, and after no other', async () => {
    await using server = await startServer({ store: 'memory', controllers: ['resourcequota'] });
    const patch = async (path: string, change: object): Promise<void> => {
      const patched = await request(server, 'PATCH', path, change, merge);
      assert.equal(patched.status, 200, patched.text);
    };
    const used = async (name: string, path = quota): Promise<string | undefined> => {
      const { body } = await request(server, 'GET', path);
      return (body as { status?: { used?: Record<string, string> } }).status?.used?.[name];
    };
    const create = async (path: string, object: object): Promise<void> => {
      const created = await request(server, 'POST', `/api/v1/namespaces/default/${path}`, object);
      assert.equal(created.status, 201, created.text);
    };
    await create('resourcequotas', { metadata: { name: 'q' }, spec: { hard: { pods: '9', secrets: '9' } } });
    await until('the first count', async () => (await used('pods')) === '0' && (await used('secrets')) !== undefined);
    await create('pods', { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
    await create('secrets', { metadata: { name: 's' } });
    // As if another Pod were being created.
    await patch(`${quota}/status`, { status: { used: { pods: '2' } } });
    await patch(pod, { metadata: { labels: { a: 'b' } } });
    await patch(`${pod}/status`, { status: { phase: 'Running' } });
    // The controller has seen the updates before it counts for another quota.
    await create('resourcequotas', { metadata: { name: 'r' }, spec: { hard: { pods: '9' } } });
    await until('the other count', async () => (await used('pods', `${quotas}/r`)) !== undefined);
    assert.equal(await used('pods'), '2');
    await patch(`${pod}/status`, { status: { phase: 'Succeeded' } });
    await until('the count', async () => (await used('pods')) === '0');
  });
});
