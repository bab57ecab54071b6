import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { readMetrics } from '../read-metrics.ts';

/** A write of each kind that the default plugins look at. Pods lack an account, so the last one is refused. */
const writes: readonly (readonly [path: string, body: JsonObject])[] = [
  ['/api/v1/namespaces', { metadata: { name: 'n' } }],
  [
    '/api/v1/namespaces/n/persistentvolumeclaims',
    { metadata: { name: 'c' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  ],
  [
    '/apis/networking.cl.io/v1/namespaces/n/ingresses',
    { metadata: { name: 'i' }, spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
  ],
  ['/apis/scheduling.cl.io/v1/priorityclasses', { metadata: { name: 'p' }, value: 1, globalDefault: true }],
  [
    '/api/v1/namespaces/n/pods',
    {
      metadata: { name: 'p' },
      spec: { serviceAccountName: 'none', runtimeClassName: 'none', containers: [{ name: 'c', image: 'i' }] },
    },
  ],
];

describe('the caches that admission plugins read', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ admissionPlugins: { enabled: ['ServiceAccount'], disabled: [] }, store: 'memory' });
  });
  after(() => server.stop());

  /** The counts of lists in the store, by type; those of the system itself go on. */
  const lists = async (): Promise<readonly (readonly [string, number])[]> =>
    [...(await readMetrics(server))].filter(
      ([name]) => /^etcd_request_duration_seconds_count\{.*"list"/.test(name) && !name.includes('"internal"'),
    );

  it('are filled before the server is ready: the first writes list nothing in the store', async () => {
    const ready = await lists();
    assert.ok(ready.some(([name]) => name.includes('core.LimitRange')));
    for (const [path, body] of writes) {
      const { status, text } = await request(server, 'POST', path, body);
      assert.ok(status === 201 || status === 403, text);
    }
    assert.deepEqual(await lists(), ready);
  });
});
