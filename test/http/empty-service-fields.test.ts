import assert from 'node:assert/strict';
import { startServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';

describe('an empty text in a field of a Service that distinguishes it from none', () => {
  it('is a class of load balancers, which other types may not have', async () => {
    await using server = await startServer();
    const spec = { ports: [{ port: 80 }], loadBalancerClass: '' };
    const created = await request(server, 'POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'a' },
      spec,
    });
    assert.equal(created.status, 422, created.text);
    assert.match(created.text, /spec.loadBalancerClass: Forbidden: may only be used when/);
  });
});
