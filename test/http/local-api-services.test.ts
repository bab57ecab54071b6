import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';

const collection = '/apis/apiregistration.k8s.io/v1/apiservices';

function apiService(group: string, service?: { namespace: string; name: string }) {
  const spec = { group, version: 'v1', groupPriorityMinimum: 1, versionPriority: 1, ...(service ? { service } : {}) };
  return { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: { name: `v1.${group}` }, spec };
}

describe('an APIService', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory', identifiers: 'kubernetes' });
  });
  after(() => server.stop());

  it('without a service is available from the start', async () => {
    const { status, body } = await request(server, 'POST', collection, apiService('local.example.com'));
    assert.equal(status, 201);
    const [condition, ...others] = (body as { status: { conditions: Record<string, string>[] } }).status.conditions;
    assert.deepEqual(others, []);
    const { lastTransitionTime, ...rest } = condition ?? {};
    assert.match(lastTransitionTime ?? '', /^\d{4}-/);
    assert.deepEqual(rest, {
      type: 'Available',
      status: 'True',
      reason: 'Local',
      message: 'Local APIServices are always available',
    });
  });

  it('with a service says nothing of it yet', async () => {
    const remote = apiService('remote.example.com', { namespace: 'default', name: 'a' });
    const { status, body } = await request(server, 'POST', collection, remote);
    assert.equal(status, 201);
    assert.deepEqual((body as { status: object }).status, {});
  });
});
