import assert from 'node:assert/strict';
import { createClient } from '../../../src/client/index.ts';
import { type Deployment, deployments, pods, replicaSets } from '../../../src/controllers/resources.ts';
import { isReady } from '../../../src/kinds/core/pod.ts';
import { connectionTo } from '../client/connection-to.ts';
import { until } from '../until.ts';
import { startPlane } from './start-plane.ts';

const outcome = 'stand-in.cluster.io/outcome';
const template = (app: string, image = 'app:1', annotations: Record<string, string> = {}) => ({
  metadata: { labels: { app }, annotations },
  spec: { containers: [{ name: 'c', image }] },
});
const deployment = (name: string, spec: object = {}) =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: { replicas: 3, selector: { matchLabels: { app: name } }, template: template(name), ...spec },
  }) as unknown as Deployment;

describe('deployments on stand-in nodes', () => {
  let server: Awaited<ReturnType<typeof startPlane>>;
  let client: ReturnType<typeof createClient>;
  before(async () => {
    server = await startPlane(2);
    client = createClient(connectionTo(server));
  });
  after(async () => {
    await client.close();
    await server.stop();
  });
  const resource = () => client.resource(deployments);
  const podsOf = async (app: string) =>
    (await client.resource(pods).list({ namespace: 'default', labelSelector: `app=${app}` })).items;
  const setsOf = async (app: string) =>
    (await client.resource(replicaSets).list({ namespace: 'default', labelSelector: `app=${app}` })).items;
  const complete = (name: string) =>
    until(`${name} to be complete`, async () => {
      const { metadata, spec, status = {} } = await resource().get(name);
      const counts = [status.updatedReplicas ?? 0, status.replicas ?? 0, status.availableReplicas ?? 0];
      return status.observedGeneration === metadata.generation && counts.every((count) => count === spec.replicas);
    });

  it('become running pods, and say so', async () => {
    await resource().create(deployment('a'));
    await complete('a');
    const { status, metadata } = await resource().get('a');
    const conditions = Object.fromEntries((status?.conditions ?? []).map(({ type, reason }) => [type, reason]));
    assert.deepEqual(conditions, { Available: 'MinimumReplicasAvailable', Progressing: 'NewReplicaSetAvailable' });
    assert.equal(metadata.annotations?.['deployment.cluster.io/revision'], '1');
    assert.equal(metadata.generation, 1);
    const found = await podsOf('a');
    assert.deepEqual(found.map(isReady), [true, true, true]);
    assert.deepEqual(new Set(found.map(({ spec }) => spec.nodeName)), new Set(['node-1', 'node-2']));
  });

  it('roll out a new template, keep the old ReplicaSet and roll back to it', async () => {
    await resource().create(deployment('b'));
    await complete('b');
    const change = (image: string) =>
      resource().patch(
        'b',
        { spec: { template: { spec: { containers: [{ name: 'c', image }] } } } },
        { type: 'strategic' },
      );
    await change('app:2');
    await complete('b');
    await until('the old pods to be gone', async () => (await podsOf('b')).length === 3);
    assert.deepEqual(new Set((await podsOf('b')).map(({ spec }) => spec.containers?.[0]?.image)), new Set(['app:2']));
    await change('app:1');
    await complete('b');
    const revisions = (await setsOf('b')).map(({ metadata, spec }) => [
      metadata.annotations?.['deployment.cluster.io/revision'],
      metadata.annotations?.['deployment.cluster.io/revision-history'],
      spec.replicas,
    ]);
    assert.deepEqual(
      revisions.toSorted((a, b) => Number(a[0]) - Number(b[0])),
      [
        ['2', undefined, 0],
        ['3', '1', 3],
      ],
    );
  });

  it('wait with the rollout for pods that do not become ready', async () => {
    await resource().create(deployment('c'));
    await complete('c');
    const broken = template('c', 'app:2', { [outcome]: 'NotReady' });
    await resource().patch('c', { spec: { template: broken } }, { type: 'strategic' });
    await until('the surge', async () => (await podsOf('c')).length === 4);
    await until('the status to say so', async () => {
      const { status } = await resource().get('c');
      return status?.availableReplicas === 3 && status.updatedReplicas === 1;
    });
    for (const pod of (await podsOf('c')).filter((each) => !isReady(each))) {
      const mended = { metadata: { annotations: { [outcome]: 'Running' } } };
      await client.resource(pods).patch(pod.metadata.name, mended, { type: 'merge', namespace: 'default' });
    }
    await until(
      'the next pod',
      async () =>
        (await podsOf('c')).filter(isReady).length >= 3 && (await setsOf('c')).some(({ spec }) => spec.replicas === 2),
    );
  });

  it('replace pods that fail or are deleted, and scale', async () => {
    await resource().create(deployment('d'));
    await complete('d');
    const [first, second] = await podsOf('d');
    const failing = { metadata: { annotations: { [outcome]: 'Failed' } } };
    await client.resource(pods).patch(first?.metadata.name ?? '', failing, { type: 'merge', namespace: 'default' });
    await client.resource(pods).delete(second?.metadata.name ?? '', { namespace: 'default' });
    const uids = new Set([first, second].map((pod) => pod?.metadata.uid));
    await until('two new pods', async () => {
      const running = (await podsOf('d')).filter(isReady);
      return running.length === 3 && running.every(({ metadata }) => !uids.has(metadata.uid));
    });
    await resource().patch('d', { spec: { replicas: 1 } }, { type: 'merge' });
    await complete('d');
    await until('one pod', async () => (await podsOf('d')).filter(isReady).length === 1);
  });

  it('need no more than the default roles of the controllers', () => assert.deepEqual(server.errors, []));
});
