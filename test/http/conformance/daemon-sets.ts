import assert from 'node:assert/strict';
import { controllerRevisions, daemonSets, nodes, pods } from '../../../src/controllers/resources.ts';
import { isReady } from '../../../src/kinds/core/pod.ts';
import { until } from '../until.ts';
import {
  conditionIn,
  create,
  outcome,
  podsOf,
  reached,
  reportedBy,
  tell,
  template,
  workload,
  type World,
} from './world.ts';

/** `[sig-apps] Daemon set [Serial]`. */
export function daemonSetStories(world: World): void {
  const resource = () => world.client.resource(daemonSets);
  const onNodes = (namespace: string, app: string, ...names: readonly string[]) =>
    until(`${app} on ${names.join()}`, async () => {
      const found = (await podsOf(world, namespace, app)).filter(isReady).map(({ spec }) => spec.nodeName ?? '');
      return found.toSorted((a, b) => a.localeCompare(b)).join() === names.join();
    });
  const label = (node: string, color: string | null) =>
    world.client.resource(nodes).patch(node, { metadata: { labels: { color } } }, { type: 'merge' });

  it('should run and stop simple daemon', async () => {
    const namespace = await world.newNamespace();
    await create(world, daemonSets, namespace, workload('simple'));
    await onNodes(namespace, 'simple', 'node-1', 'node-2');
    await reportedBy(world, namespace, 'daemonset-controller', 'SuccessfulCreate');
    const [pod] = await podsOf(world, namespace, 'simple');
    await world.client.resource(pods).delete(pod?.metadata.name ?? '', { namespace });
    await until('another pod', async () => {
      const found = (await podsOf(world, namespace, 'simple')).filter(isReady);
      return found.length === 2 && found.every(({ metadata }) => metadata.uid !== pod?.metadata.uid);
    });
    await resource().delete('simple', { namespace });
    await until('no pod', async () => (await podsOf(world, namespace, 'simple')).length === 0);
  });

  it('should run and stop complex daemon', async () => {
    const namespace = await world.newNamespace();
    const spec = { nodeSelector: { color: 'blue' } };
    await create(world, daemonSets, namespace, workload('complex', {}, { spec }));
    await reached(world, daemonSets, namespace, 'complex', ({ status }) => status?.observedGeneration === 1);
    assert.deepEqual(await podsOf(world, namespace, 'complex'), []);
    await label('node-1', 'blue');
    await onNodes(namespace, 'complex', 'node-1');
    const { status } = await reached(
      world,
      daemonSets,
      namespace,
      'complex',
      (set) => set.status?.numberAvailable === 1,
    );
    assert.deepEqual([status?.desiredNumberScheduled, status?.currentNumberScheduled], [1, 1]);
    await label('node-1', 'green');
    await until('no pod', async () => (await podsOf(world, namespace, 'complex')).length === 0);
    const change = {
      spec: { updateStrategy: { type: 'RollingUpdate' }, template: { spec: { nodeSelector: { color: 'green' } } } },
    };
    await resource().patch('complex', change, { type: 'merge', namespace });
    await onNodes(namespace, 'complex', 'node-1');
    await label('node-1', null);
  });

  it('should retry creating failed daemon pods', async () => {
    const namespace = await world.newNamespace();
    await create(world, daemonSets, namespace, workload('retried'));
    await onNodes(namespace, 'retried', 'node-1', 'node-2');
    const [pod] = await podsOf(world, namespace, 'retried');
    assert.ok(pod);
    await tell(world, pod, 'Failed');
    await until('a new pod', async () => {
      const found = (await podsOf(world, namespace, 'retried')).filter(isReady);
      return found.length === 2 && found.every(({ metadata }) => metadata.uid !== pod.metadata.uid);
    });
  });

  it('should update pod when spec was updated and update strategy is RollingUpdate', async () => {
    const namespace = await world.newNamespace();
    await create(world, daemonSets, namespace, workload('rolled'));
    await onNodes(namespace, 'rolled', 'node-1', 'node-2');
    const change = { spec: { template: template('rolled', { image: 'app:2' }) } };
    await resource().patch('rolled', change, { type: 'merge', namespace });
    await until('new pods', async () => {
      const found = (await podsOf(world, namespace, 'rolled')).filter(isReady);
      return found.length === 2 && found.every(({ spec }) => spec.containers?.[0]?.image === 'app:2');
    });
    assert.deepEqual(
      (await podsOf(world, namespace, 'rolled')).map(({ metadata }) => metadata.labels?.['pod-template-generation']),
      ['2', '2'],
    );
    const revisions = (await world.client.resource(controllerRevisions).list({ namespace })).items;
    // Clients compare the bytes of this data with those that Go's encoder makes of the template.
    assert.match(JSON.stringify(revisions[0]), /"data":\{"spec":\{"template":\{"\$patch":"replace","metadata":/);
    const hashes = revisions.toSorted((a, b) => a.revision - b.revision).map(({ metadata }) => metadata.labels);
    const found = await podsOf(world, namespace, 'rolled');
    assert.equal(hashes.length, 2);
    assert.ok(
      found.every(
        ({ metadata: { labels } }) => labels?.['controller-revision-hash'] === hashes[1]?.['controller-revision-hash'],
      ),
    );
  });

  it('should rollback without unnecessary restarts', async () => {
    const namespace = await world.newNamespace();
    await create(world, daemonSets, namespace, workload('back', { updateStrategy: { type: 'RollingUpdate' } }));
    await onNodes(namespace, 'back', 'node-1', 'node-2');
    const before = await podsOf(world, namespace, 'back');
    const broken = template('back', { image: 'none', annotations: { [outcome]: 'NotReady' } });
    await resource().patch('back', { spec: { template: broken } }, { type: 'merge', namespace });
    await until('one broken pod', async () =>
      (await podsOf(world, namespace, 'back')).some((pod) => pod.spec.containers?.[0]?.image === 'none'),
    );
    const mended = { ...template('back'), metadata: { labels: { app: 'back' }, annotations: null } };
    await resource().patch('back', { spec: { template: mended } }, { type: 'merge', namespace });
    await onNodes(namespace, 'back', 'node-1', 'node-2');
    const after = new Set((await podsOf(world, namespace, 'back')).map(({ metadata }) => metadata.uid));
    assert.equal(before.filter(({ metadata }) => after.has(metadata.uid)).length, 1);
  });

  it('should list and delete a collection of DaemonSets, and keep the conditions of others', async () => {
    const namespace = await world.newNamespace();
    await create(world, daemonSets, namespace, workload('gone'));
    await onNodes(namespace, 'gone', 'node-1', 'node-2');
    const patch = { status: { conditions: [{ type: 'StatusPatched', status: 'True' }] } };
    await resource().patch('gone', patch, { type: 'merge', namespace, subresource: 'status' });
    await resource().patch('gone', { spec: { minReadySeconds: 1 } }, { type: 'merge', namespace });
    const observed = await reached(
      world,
      daemonSets,
      namespace,
      'gone',
      ({ status }) => status?.observedGeneration === 2,
    );
    assert.equal(conditionIn(observed.status, 'StatusPatched'), 'True');
    await resource().deleteCollection({ namespace, labelSelector: 'app=gone' });
    await until('no pod', async () => (await podsOf(world, namespace, 'gone')).length === 0);
  });
}
