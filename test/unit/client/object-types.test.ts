import assert from 'node:assert/strict';
import { builtInResources, createClient, isStatus } from '../../../src/client/index.ts';
import type { corev1 } from '../../../src/client/index.ts';
import { answer, startTlsServer, type TlsServer } from '../outbound/start-tls-server.ts';

// The compiler checks most of it: each line below an `expect-error` must not compile.
describe('the types of a client', () => {
  const { deployments, pods, serviceaccounts } = builtInResources('cluster');
  let server: TlsServer;
  before(async () => {
    server = await startTlsServer();
    server.handle = ({ method, url, body }, response) => {
      if (method === 'DELETE') {
        return answer(response, 200, url.endsWith('/gone') ? { kind: 'Status', status: 'Success' } : { kind: 'Pod' });
      }
      return answer(response, 200, method === 'GET' ? { kind: 'Scale', spec: { replicas: 3 } } : JSON.parse(body));
    };
  });
  after(() => server.stop());

  it('take the fields of an applied object that the manager wants to own, and no others', async () => {
    const client = createClient(server.settings);
    const options = { fieldManager: 'me' };
    const named = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } };
    const applied = await client.resource(deployments).apply({ ...named, spec: { replicas: 3 } }, options);
    assert.equal(applied.spec?.replicas, 3);
    const containers = [{ name: 'c', image: 'i' }];
    await client.resource(deployments).apply({ ...named, spec: { template: { spec: { containers } } } }, options);
    // @ts-expect-error: a misspelt field
    await client.resource(deployments).apply({ ...named, spec: { replica: 3 } }, options);
    // @ts-expect-error: a field of another type
    await client.resource(deployments).apply({ ...named, spec: { replicas: '3' } }, options);
    await client.close();
  });

  it('are those of the sub-resource', async () => {
    const client = createClient(server.settings);
    const { spec } = await client.resource(deployments).get('web', { subresource: 'scale' });
    const replicas: number | undefined = spec?.replicas;
    assert.equal(replicas, 3);
    // @ts-expect-error: a Scale has no template
    assert.equal(spec?.template, undefined);
    const metadata = { name: 'robot' };
    const token = await client
      .resource(serviceaccounts)
      .create({ metadata, spec: { audiences: [], expirationSeconds: 600 } }, { subresource: 'token' });
    assert.equal(token.spec.expirationSeconds, 600);
    // @ts-expect-error: a ServiceAccount is no TokenRequest
    await client.resource(serviceaccounts).create({ metadata, secrets: [] }, { subresource: 'token' });
    await client.close();
  });

  it('tell the result of a delete apart', async () => {
    const client = createClient(server.settings);
    const seen: (string | undefined)[] = [];
    for (const name of ['gone', 'ends']) {
      const result = await client.resource(pods).delete(name);
      if (isStatus(result)) seen.push(result.status);
      else {
        const pod: corev1.Pod = result;
        seen.push(pod.kind);
      }
    }
    assert.deepEqual(seen, ['Success', 'Pod']);
    await client.close();
  });
});
