import assert from 'node:assert/strict';
import { builtInResources } from '../../../src/client/built-in-resources.ts';
import { type Client, createClient, hasReason, StatusError } from '../../../src/client/index.ts';
import { reconcile } from '../../../src/controllers/podgc/reconcile.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { connectionTo } from '../client/connection-to.ts';
import { until } from '../until.ts';

const { poddisruptionbudgets, pods } = builtInResources('cluster');
const replicaSets = { group: 'apps', version: 'v1', resource: 'replicasets' } as const;
const containers = [{ name: 'c', image: 'i' }];

describe('controllers of Pods', () => {
  let server: TestServer;
  let client: Client;
  before(async () => {
    server = await startServer({ controllers: ['disruption-controller', 'pod-garbage-collector-controller'] });
    client = createClient(connectionTo(server));
  });
  after(async () => {
    await client.close();
    await server.stop();
  });

  const isGone = (name: string): Promise<boolean> =>
    client
      .resource(pods)
      .get(name)
      .then(
        () => false,
        (error: unknown) => hasReason(error, 'NotFound'),
      );
  const ready = (name: string, isReady: boolean) =>
    client
      .resource(pods)
      .patch(
        name,
        { status: { phase: 'Running', conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] } },
        { type: 'merge', subresource: 'status' },
      );

  it('count the Pods of disruption budgets by the scale of their controllers, and allow evictions', async () => {
    const labels = { app: 'a' };
    const set = await client.resource(replicaSets).create({
      metadata: { name: 'rs' },
      spec: {
        replicas: 3,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    });
    const { uid = '' } = set.metadata ?? {};
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid, controller: true }];
    for (const name of ['a', 'b', 'c']) {
      await client.resource(pods).create({ metadata: { name, labels, ownerReferences }, spec: { containers } });
      await ready(name, name !== 'c');
    }
    const budgets = client.resource(poddisruptionbudgets);
    await budgets.create({
      metadata: { name: 'budget' },
      spec: { maxUnavailable: '50%', selector: { matchLabels: labels } },
    });
    const counts = async () => {
      const { status } = await budgets.get('budget');
      return [status?.expectedPods, status?.desiredHealthy, status?.currentHealthy, status?.disruptionsAllowed].join();
    };
    // Half of three, rounded up, may be missing.
    await until('the counts', async () => (await counts()) === '3,1,2,1');
    const evict = (name: string) =>
      client
        .resource(pods)
        .create({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } }, { subresource: 'eviction' });
    await evict('a');
    await until('the eviction to be counted', async () => (await counts()) === '3,1,1,0');
    await assert.rejects(evict('b'), (error) => error instanceof StatusError && error.code === 429);
    await ready('c', true);
    await until('another to be allowed', async () => (await counts()) === '3,1,2,1');
    await client.resource(replicaSets).delete('rs', { propagationPolicy: 'Orphan' });
  });

  it('delete Pods that ended before they had a node', async () => {
    const metadata = { name: 'never-ran', finalizers: ['example.com/hold'] };
    await client.resource(pods).create({ metadata, spec: { containers } });
    await client.resource(pods).delete('never-ran');
    await client.resource(pods).patch('never-ran', { metadata: { finalizers: null } }, { type: 'merge' });
    await until('the Pod to go', () => isGone('never-ran'));
  });

  it('delete Pods of nodes that are gone, and the oldest of too many ended ones', async () => {
    const removed: string[] = [];
    const pod = (name: string, creationTimestamp: string) => ({
      metadata: { name, creationTimestamp },
      spec: { nodeName: 'n', containers },
      status: { phase: 'Failed' },
    });
    const all = [pod('c', '2026-01-03'), pod('a', '2026-01-01'), pod('b', '2026-01-02')];
    const calls = (waitMs: number | undefined) => ({
      threshold: 1,
      ended: () => all,
      nodeGoneMs: async () => waitMs,
      remove: async ({ metadata }: { metadata?: { name?: string } }) => void removed.push(metadata?.name ?? ''),
    });
    assert.deepEqual(await reconcile(all[0], calls(undefined)), {});
    assert.deepEqual(removed.splice(0), ['a', 'b']);
    const running = { ...pod('r', ''), status: { phase: 'Running' } };
    assert.deepEqual(await reconcile(running, calls(5)), { requeueAfterMs: 5 });
    assert.deepEqual(removed, []);
    await reconcile(running, calls(0));
    assert.deepEqual(removed, ['r']);
  });
});
