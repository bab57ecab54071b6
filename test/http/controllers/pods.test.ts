import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { builtInResources } from '../../../src/client/built-in-resources.ts';
import { type Client, createClient, hasReason, StatusError } from '../../../src/client/index.ts';
import { reconcile } from '../../../src/controllers/podgc/reconcile.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { connectionTo } from '../client/connection-to.ts';
import { until } from '../until.ts';

const { events, poddisruptionbudgets, pods } = builtInResources('cluster');
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

  const budgetOf = (name: string, spec: object) =>
    client.resource(poddisruptionbudgets).create({ metadata: { name }, spec });
  const addPod = async (name: string, labels: Record<string, string>, controlledBy?: string) => {
    const controller = { apiVersion: 'example.com/v1', name: 'w', uid: randomUUID(), controller: true };
    const ownerReferences = controlledBy === undefined ? [] : [{ ...controller, kind: controlledBy }];
    await client.resource(pods).create({ metadata: { name, labels, ownerReferences }, spec: { containers } });
    await ready(name, true);
  };
  const statusOf = async (budget: string) => (await client.resource(poddisruptionbudgets).get(budget)).status;
  const reported = (reason: string, object: string, message: string) =>
    until(`${reason} of ${object}`, async () =>
      (await client.resource(events).list()).items.some(
        (event) => event.reason === reason && event.involvedObject?.name === object && event.message === message,
      ),
    );

  it('allow no evictions by a budget while the scale of a controller is unknown', async () => {
    const matchLabels = { app: 'unknown' };
    await addPod('unknown', matchLabels, 'Widget');
    await budgetOf('unknown', { maxUnavailable: 1, selector: { matchLabels } });
    const message = 'no matches for kind "Widget" in version "example.com/v1"';
    const text = `Failed to calculate the number of expected pods: ${message}`;
    await reported('CalculateExpectedPodCountFailed', 'unknown', text);
    await until('the status', async () => (await statusOf('unknown'))?.conditions?.[0]?.reason === 'SyncFailed');
    const { disruptionsAllowed, expectedPods, conditions } = (await statusOf('unknown')) ?? {};
    assert.deepEqual([disruptionsAllowed, expectedPods, conditions?.[0]?.message], [0, 0, message]);
  });

  it('count no Pods without a controller as expected', async () => {
    const matchLabels = { app: 'bare' };
    await addPod('bare', matchLabels);
    await budgetOf('bare', { maxUnavailable: 1, selector: { matchLabels } });
    await until('the status', async () => (await statusOf('bare'))?.currentHealthy === 1);
    const { expectedPods, disruptionsAllowed, conditions } = (await statusOf('bare')) ?? {};
    assert.deepEqual([expectedPods, disruptionsAllowed, conditions?.[0]?.reason], [0, 0, 'InsufficientPods']);
  });

  it('follow a Pod of several budgets in one of them, and report that', async () => {
    const matchLabels = { app: 'shared' };
    await client.resource(pods).create({ metadata: { name: 'shared', labels: matchLabels }, spec: { containers } });
    for (const name of ['first', 'second']) await budgetOf(name, { minAvailable: 1, selector: { matchLabels } });
    await until('both', async () => (await statusOf('first'))?.expectedPods === 1);
    await until('both', async () => (await statusOf('second'))?.expectedPods === 1);
    await ready('shared', true);
    const message = 'Pod "default"/"shared" matches multiple PodDisruptionBudgets.  Chose "first" arbitrarily.';
    await reported('MultiplePodDisruptionBudgets', 'shared', message);
    await until('the first', async () => (await statusOf('first'))?.currentHealthy === 1);
    assert.equal((await statusOf('second'))?.currentHealthy, 0);
  });

  it('report a Pod that was evicted and not deleted, and count it again', async () => {
    const matchLabels = { app: 'stays' };
    await addPod('stays', matchLabels);
    await budgetOf('stays', { minAvailable: 1, selector: { matchLabels } });
    await until('the status', async () => (await statusOf('stays'))?.currentHealthy === 1);
    const disruptedPods = { stays: '2020-01-01T00:00:00Z' };
    const patch = { status: { disruptedPods, currentHealthy: 0 } };
    await client.resource(poddisruptionbudgets).patch('stays', patch, { type: 'merge', subresource: 'status' });
    await reported('NotDeleted', 'stays', "Pod was expected by PDB default/default to be deleted but it wasn't");
    await until('the count', async () => (await statusOf('stays'))?.currentHealthy === 1);
    assert.equal((await statusOf('stays'))?.disruptedPods, undefined);
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
