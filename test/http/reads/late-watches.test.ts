import assert from 'node:assert/strict';
import { startServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { openWatch } from './open-watch.ts';

const definition = {
  metadata: { name: 'bolts.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'bolts', kind: 'Bolt' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

describe('a watch from a version that is too old', () => {
  it('is 200 with one ERROR event under the Kubernetes identifiers, of custom kinds too', async () => {
    await using server = await startServer({
      store: 'memory',
      identifiers: 'kubernetes',
      compactionIntervalMs: 200,
      watchHistoryMs: 1,
    });
    const write = async (path: string, object: object): Promise<string> => {
      const created = await request(server, 'POST', path, object);
      assert.equal(created.status, 201, created.text);
      return (created.body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
    };
    await write('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    const bolts = '/apis/example.com/v1/namespaces/default/bolts';
    await until('the bolts', async () => (await request(server, 'GET', bolts)).status === 200);
    const kinds = [
      { path: '/api/v1/namespaces/default/configmaps', type: { apiVersion: 'v1', kind: 'ConfigMap' } },
      { path: bolts, type: { apiVersion: 'example.com/v1', kind: 'Bolt' } },
    ];
    for (const { path, type } of kinds) {
      const past = await write(path, { ...type, metadata: { name: 'past' } });
      await write(path, { ...type, metadata: { name: 'later' } });
      await until('the end of the history', async () => {
        const watch = await openWatch(server, `${path}?watch=1&timeoutSeconds=1&resourceVersion=${past}`);
        assert.equal(watch.status, 200);
        assert.equal(await watch.ended, true);
        const [first] = watch.events;
        if (first?.type !== 'ERROR') return false;
        assert.equal(watch.events.length, 1);
        const { kind, code, reason, message } = first.object as Record<string, unknown>;
        assert.deepEqual([kind, code, reason], ['Status', 410, 'Expired']);
        assert.match(String(message), new RegExp(`^too old resource version: ${past} \\(\\d+\\)$`));
        return true;
      });
    }
  });
});
