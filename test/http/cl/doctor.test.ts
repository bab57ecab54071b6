import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { until } from '../until.ts';
import { request } from '../http-client.ts';
import { type ClRunner, createClRunner } from './cl-runner.ts';

const hook = (name: string, failurePolicy: string) => ({
  name: `${name}.example.com`,
  failurePolicy,
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  clientConfig: { service: { namespace: 'default', name } },
  rules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['none'], operations: ['CREATE'] }],
});

describe('cl doctor', () => {
  let server: TestServer;
  let cl: ClRunner;
  before(async () => {
    server = await startServer({ authorizationMode: ['RBAC'] });
    cl = await createClRunner(server);
  });
  after(async () => {
    await server.stop();
    await cl.remove();
  });

  it('finds nothing wrong with a new server but that it has no nodes', async () => {
    const { code, out, err } = await cl.run('doctor');
    assert.equal(code, 0, err);
    assert.match(out, /^ok +the server is ready$/m);
    assert.match(out, /^ok +the clocks of the server and of this machine agree$/m);
    assert.match(out, /^ok +the certificate of the server is valid for \d+ days$/m);
    assert.match(out, /^ok +its caches are up to date$/m);
    assert.match(out, /^ok +the server has met no damaged values/m);
    const quiet = await cl.run('doctor -q');
    assert.match(quiet.out, /^warning +there are no nodes: pods stay Pending\n +-> .*cl up --nodes=1"\n$/);
  });

  it('names webhooks without pods, API services that are away and clashing definitions, with the next step', async () => {
    const post = async (path: string, object: object): Promise<void> => {
      const { status, text } = await request(server, 'POST', path, object);
      assert.equal(status, 201, text);
    };
    await post('/apis/admissionregistration.cl.io/v1/validatingwebhookconfigurations', {
      metadata: { name: 'hooks' },
      webhooks: [hook('strict', 'Fail'), hook('lenient', 'Ignore')],
    });
    await post('/apis/apiregistration.cl.io/v1/apiservices', {
      metadata: { name: 'v1.away.example.com' },
      spec: {
        group: 'away.example.com',
        version: 'v1',
        groupPriorityMinimum: 1000,
        versionPriority: 10,
        service: { namespace: 'default', name: 'away' },
      },
    });
    await until('the APIService is not available', async () => {
      const { text } = await request(server, 'GET', '/apis/apiregistration.cl.io/v1/apiservices/v1.away.example.com');
      return text.includes('ServiceNotFound');
    });
    const { code, out } = await cl.run('doctor -q');
    assert.equal(code, 1);
    assert.match(
      out,
      /^error +the webhook strict\.example\.com has no ready pod: Service default\/strict; what it reviews is refused\n +-> /m,
    );
    assert.match(out, /^warning +the webhook lenient\.example\.com has no ready pod.*; it is skipped\n +-> /m);
    assert.match(out, /^error +the APIService v1\.away\.example\.com is not available: .*\n +-> /m);
  });

  it('says which checks a user without rights cannot make', async () => {
    const { out } = await cl.run('doctor -q --as=ann');
    assert.match(out, /^warning +a check failed: .*forbidden.*\n +-> run it as an administrator$/m);
  });

  it('makes no more checks of a server that does not answer', async () => {
    const { code, out, err } = await cl.run('doctor --server=https://127.0.0.1:1');
    assert.deepEqual([code, err], [1, '']);
    assert.match(out, /^error +cannot reach https:\/\/127\.0\.0\.1:1: .*\n +-> start the server.*\n$/m);
  });
});
