import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, request } from './http-client.ts';
import { until } from './until.ts';

const namespace = '/api/v1/namespaces/n';

describe('limit ranges', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
    const limits = [
      { type: 'Container', default: { cpu: '500m' }, max: { cpu: '1' } },
      { type: 'PersistentVolumeClaim', max: { storage: '5Gi' } },
    ];
    await post('/api/v1/namespaces', { metadata: { name: 'n' } });
    await post('/api/v1/namespaces', { metadata: { name: 'free' } });
    await post(`${namespace}/limitranges`, { metadata: { name: 'limits' }, spec: { limits } });
    // The plugin reads them from the watch cache.
    await until('the plugin knows the limit range', async () => {
      const { status } = await post(`${namespace}/pods?dryRun=All`, pod({ cpu: '2' }));
      return status === 403;
    });
  });
  after(() => server.stop());

  const post = (url: string, body: object): Promise<HttpResponse> => request(server, 'POST', url, body);
  const pod = (limits?: object) => ({
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i', ...(limits ? { resources: { limits } } : {}) }] },
  });
  const assertRefused = ({ status, body, text }: HttpResponse, message: string): void => {
    assert.equal(status, 403, text);
    assert.equal((body as { message: string }).message, message);
  };

  it('give Pods of their namespace amounts, and their quality of service', async () => {
    const { status, body, text } = await post(`${namespace}/pods`, pod());
    assert.equal(status, 201, text);
    const created = body as {
      metadata: { annotations: object };
      spec: { containers: { resources: object }[] };
      status: { qosClass: string };
    };
    const amounts = { limits: { cpu: '500m' }, requests: { cpu: '500m' } };
    assert.deepEqual(created.spec.containers[0]?.resources, amounts);
    assert.deepEqual(created.metadata.annotations, {
      'cluster.io/limit-ranger': 'LimitRanger plugin set: cpu request for container c; cpu limit for container c',
    });
    assert.equal(created.status.qosClass, 'Burstable');
  });

  it('may limit a ratio as far as their bounds allow', async () => {
    const limit = { type: 'Container', max: { cpu: '2' }, min: { cpu: '500m' }, maxLimitRequestRatio: { cpu: '4' } };
    const range = { metadata: { name: 'ratio' }, spec: { limits: [limit] } };
    assert.equal((await post('/api/v1/namespaces/free/limitranges?dryRun=All', range)).status, 201);
  });

  it('refuse what exceeds them, in their namespace alone', async () => {
    const why = 'maximum cpu usage per Container is 1, but limit is 2';
    assertRefused(await post(`${namespace}/pods`, pod({ cpu: '2' })), `pods "p" is forbidden: ${why}`);
    assert.equal((await post('/api/v1/namespaces/free/pods', pod({ cpu: '2' }))).status, 201);
    const claim = {
      metadata: { name: 'c' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '6Gi' } } },
    };
    assertRefused(
      await post(`${namespace}/persistentvolumeclaims`, claim),
      'persistentvolumeclaims "c" is forbidden: ' +
        'maximum storage usage per PersistentVolumeClaim is 5Gi, but request is 6Gi',
    );
  });
});
