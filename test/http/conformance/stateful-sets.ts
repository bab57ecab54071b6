import assert from 'node:assert/strict';
import { isReady } from '../../../src/kinds/core/pod.ts';
import {
  controllerRevisions,
  type Pod,
  pods,
  type StatefulSet,
  statefulSets,
} from '../../../src/controllers/resources.ts';
import { until } from '../until.ts';
import { conditionIn, create, podsOf, reached, reportedBy, resources, tell, workload, type World } from './world.ts';

const image = (name: string) => ({ template: { spec: { containers: [{ name: 'c', image: name }] } } });

/** `[sig-apps] StatefulSet`. */
export function statefulSetStories(world: World): void {
  const resource = () => world.client.resource(statefulSets);
  const set = (app: string, spec: object = {}) => workload(app, { serviceName: app, replicas: 3, ...spec });
  const complete = (namespace: string, name: string, replicas: number) =>
    reached(world, statefulSets, namespace, name, ({ metadata, status }) => {
      const counts = [status?.replicas ?? 0, status?.readyReplicas ?? 0];
      return status?.observedGeneration === metadata.generation && counts.every((count) => count === replicas);
    });
  const updated = (namespace: string, name: string) =>
    reached(world, statefulSets, namespace, name, ({ metadata, status }) => {
      const isObserved = status?.observedGeneration === metadata.generation;
      return isObserved && status?.currentRevision === status?.updateRevision && status?.readyReplicas === 3;
    });
  const imagesOf = async (namespace: string, app: string) =>
    (await podsOf(world, namespace, app)).map(({ spec }) => spec.containers?.[0]?.image).join();
  const namesOf = async (namespace: string, app: string) =>
    (await podsOf(world, namespace, app)).map(({ metadata }) => metadata.name).join();

  it('should perform rolling updates and roll backs of template modifications', async () => {
    const namespace = await world.newNamespace();
    await create(world, statefulSets, namespace, set('roll'));
    const first = await complete(namespace, 'roll', 3);
    assert.equal(first.status?.currentRevision, first.status?.updateRevision);
    assert.deepEqual(
      await revisionsOf(namespace, 'roll'),
      Array.from({ length: 3 }, () => first.status?.currentRevision),
    );
    const order = recordDeletions(namespace);
    await resource().patch('roll', { spec: image('app:2') }, { type: 'strategic', namespace });
    const second = await updated(namespace, 'roll');
    assert.notEqual(second.status?.updateRevision, first.status?.updateRevision);
    assert.equal(await imagesOf(namespace, 'roll'), 'app:2,app:2,app:2');
    await resource().patch('roll', { spec: image('app:1') }, { type: 'strategic', namespace });
    await reached(world, statefulSets, namespace, 'roll', isAt(first));
    assert.equal(await imagesOf(namespace, 'roll'), 'app:1,app:1,app:1');
    // Each update goes from the last pod to the first.
    assert.equal((await order.stop()).join(), 'roll-2,roll-1,roll-0,roll-2,roll-1,roll-0');
  });

  it('should perform canary updates and phased rolling updates of template modifications', async () => {
    const namespace = await world.newNamespace();
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 3 } };
    await create(world, statefulSets, namespace, set('canary', { updateStrategy }));
    const first = await complete(namespace, 'canary', 3);
    await resource().patch('canary', { spec: image('app:2') }, { type: 'strategic', namespace });
    await reached(
      world,
      statefulSets,
      namespace,
      'canary',
      ({ metadata, status }) =>
        status?.observedGeneration === metadata.generation && status?.updateRevision !== first.status?.updateRevision,
    );
    assert.equal(await imagesOf(namespace, 'canary'), 'app:1,app:1,app:1');
    const partition = (count: number) =>
      resource().patch(
        'canary',
        { spec: { updateStrategy: { rollingUpdate: { partition: count } } } },
        { type: 'merge', namespace },
      );
    await partition(2);
    await until('the canary', async () => (await imagesOf(namespace, 'canary')) === 'app:1,app:1,app:2');
    // Deleted pods come back with the revision of their side of the partition.
    await complete(namespace, 'canary', 3);
    const before = await uids(namespace, 'canary');
    for (const ordinal of [0, 2]) await world.client.resource(pods).delete(`canary-${ordinal}`, { namespace });
    await until('new pods', async () => {
      const now = await podsOf(world, namespace, 'canary');
      return now.length === 3 && now[0]?.metadata.uid !== before[0] && now[2]?.metadata.uid !== before[2];
    });
    assert.equal(await imagesOf(namespace, 'canary'), 'app:1,app:1,app:2');
    for (const count of [1, 0]) {
      await complete(namespace, 'canary', 3);
      await partition(count);
      const expected = count === 1 ? 'app:1,app:2,app:2' : 'app:2,app:2,app:2';
      await until(expected, async () => (await imagesOf(namespace, 'canary')) === expected);
    }
    const done = await updated(namespace, 'canary');
    assert.deepEqual([done.status?.currentReplicas, done.status?.updatedReplicas], [3, 3]);
  });

  it('should not replace pods of the strategy OnDelete until they are deleted', async () => {
    const namespace = await world.newNamespace();
    await create(world, statefulSets, namespace, set('manual', { updateStrategy: { type: 'OnDelete' } }));
    const first = await complete(namespace, 'manual', 3);
    await resource().patch('manual', { spec: image('app:2') }, { type: 'strategic', namespace });
    await reached(
      world,
      statefulSets,
      namespace,
      'manual',
      ({ status }) => status?.updateRevision !== first.status?.updateRevision,
    );
    assert.equal(await imagesOf(namespace, 'manual'), 'app:1,app:1,app:1');
    await world.client.resource(pods).delete('manual-1', { namespace });
    await until('the new pod', async () => (await imagesOf(namespace, 'manual')) === 'app:1,app:2,app:1');
  });

  it('Scaling should happen in predictable order and halt if any stateful pod is unhealthy', async () => {
    const namespace = await world.newNamespace();
    await create(world, statefulSets, namespace, set('order', { replicas: 1 }));
    await complete(namespace, 'order', 1);
    const [first] = await podsOf(world, namespace, 'order');
    assert.ok(first);
    await tell(world, first, 'NotReady');
    await reached(world, statefulSets, namespace, 'order', ({ status }) => !status?.readyReplicas);
    const scale = (replicas: number) =>
      resource().patch('order', { spec: { replicas } }, { type: 'merge', namespace, subresource: 'scale' });
    const observed = async (generation: number | undefined) =>
      await reached(world, statefulSets, namespace, 'order', ({ status }) => status?.observedGeneration === generation);
    const generationNow = async () => (await resource().get('order', { namespace })).metadata.generation;
    await scale(3);
    await observed(await generationNow());
    assert.equal(await namesOf(namespace, 'order'), 'order-0');
    await tell(world, first, 'Running');
    await complete(namespace, 'order', 3);
    for (const pod of await podsOf(world, namespace, 'order')) await tell(world, pod, 'NotReady');
    await reached(world, statefulSets, namespace, 'order', ({ status }) => !status?.readyReplicas);
    await scale(0);
    await observed(await generationNow());
    assert.equal(await namesOf(namespace, 'order'), 'order-0,order-1,order-2');
    for (const pod of await podsOf(world, namespace, 'order')) await tell(world, pod, 'Running');
    await until('no pod', async () => (await podsOf(world, namespace, 'order')).length === 0);
  });

  it('Burst scaling should run to completion even with unhealthy pods', async () => {
    const namespace = await world.newNamespace();
    await create(world, statefulSets, namespace, set('burst', { replicas: 1, podManagementPolicy: 'Parallel' }));
    await complete(namespace, 'burst', 1);
    const [first] = await podsOf(world, namespace, 'burst');
    assert.ok(first);
    await tell(world, first, 'NotReady');
    const scale = (replicas: number) => resource().patch('burst', { spec: { replicas } }, { type: 'merge', namespace });
    await scale(3);
    await until('three pods', async () => (await podsOf(world, namespace, 'burst')).filter(isReady).length === 2);
    await scale(0);
    await until('no pod', async () => (await podsOf(world, namespace, 'burst')).length === 0);
  });

  it('Should recreate evicted statefulset', async () => {
    const namespace = await world.newNamespace();
    await create(world, statefulSets, namespace, set('evicted', { replicas: 1 }));
    await complete(namespace, 'evicted', 1);
    const message = 'create Pod evicted-0 in StatefulSet evicted successful';
    await reportedBy(world, namespace, 'statefulset-controller', 'SuccessfulCreate', message);
    const [pod] = await podsOf(world, namespace, 'evicted');
    assert.ok(pod);
    assert.equal(pod.metadata.generateName, 'evicted-');
    await tell(world, pod, 'Failed');
    await until('a new pod with the same name', async () => {
      const [now] = await podsOf(world, namespace, 'evicted');
      return now?.metadata.name === 'evicted-0' && now.metadata.uid !== pod.metadata.uid && isReady(now);
    });
  });

  it('should count its pods although a quota refuses one', async () => {
    const namespace = await world.newNamespace();
    const quota = { metadata: { name: 'one' }, spec: { hard: { pods: '1' } } };
    await create(world, resources.resourcequotas, namespace, quota);
    await reached(world, resources.resourcequotas, namespace, 'one', (each) => each.status?.hard !== undefined);
    await create(world, statefulSets, namespace, set('limited', { replicas: 2 }));
    await reached(world, statefulSets, namespace, 'limited', ({ status }) => status?.readyReplicas === 1);
    await reportedBy(world, namespace, 'statefulset-controller', 'FailedCreate');
    await world.client.resource(resources.resourcequotas).delete('one', { namespace });
    await complete(namespace, 'limited', 2);
  });

  it('should have a working scale subresource, and keep the conditions of others', async () => {
    const namespace = await world.newNamespace();
    await create(world, statefulSets, namespace, set('scaled', { replicas: 1 }));
    await complete(namespace, 'scaled', 1);
    const patch = { status: { conditions: [{ type: 'StatusPatched', status: 'True' }] } };
    await resource().patch('scaled', patch, { type: 'merge', namespace, subresource: 'status' });
    const scale = await resource().get('scaled', { namespace, subresource: 'scale' });
    await resource().update({ ...scale, spec: { ...scale.spec, replicas: 2 } }, { namespace, subresource: 'scale' });
    const { status } = await complete(namespace, 'scaled', 2);
    assert.equal(conditionIn(status, 'StatusPatched'), 'True');
  });

  it('should list, patch and delete a collection of StatefulSets', async () => {
    const namespace = await world.newNamespace();
    await create(world, statefulSets, namespace, set('collected', { replicas: 1 }));
    await complete(namespace, 'collected', 1);
    await resource().deleteCollection({ namespace, labelSelector: 'app=collected' });
    await until('no pod', async () => (await podsOf(world, namespace, 'collected')).length === 0);
    await until('no revision', async () => {
      const { items } = await world.client.resource(controllerRevisions).list({ namespace });
      return items.length === 0;
    });
  });

  it('should manage the lifecycle of a ControllerRevision', async () => {
    const namespace = await world.newNamespace();
    await create(world, statefulSets, namespace, set('kept', { replicas: 0 }));
    const revisions = world.client.resource(controllerRevisions);
    await until('a revision', async () => (await revisions.list({ namespace })).items.length === 1);
    const [first] = (await revisions.list({ namespace })).items;
    const name = first?.metadata.name ?? '';
    await revisions.patch(name, { metadata: { labels: { story: 'patched' } } }, { type: 'merge', namespace });
    await revisions.delete(name, { namespace });
    await until('the revision again', async () => {
      const { items } = await revisions.list({ namespace });
      return items.length === 1 && items[0]?.metadata.uid !== first?.metadata.uid;
    });
    await resource().patch('kept', { spec: image('app:2') }, { type: 'strategic', namespace });
    await until('two revisions', async () => {
      const { items } = await revisions.list({ namespace });
      return (
        items
          .map(({ revision }) => revision)
          .toSorted((a, b) => a - b)
          .join() === '1,2'
      );
    });
  });

  function isAt({ status: wanted }: StatefulSet) {
    return ({ metadata, status }: StatefulSet): boolean =>
      status?.observedGeneration === metadata.generation &&
      status?.currentRevision === wanted?.currentRevision &&
      status?.updateRevision === wanted?.updateRevision &&
      status?.readyReplicas === 3;
  }

  async function revisionsOf(namespace: string, app: string): Promise<(string | undefined)[]> {
    const found = await podsOf(world, namespace, app);
    return found.map(({ metadata }) => metadata.labels?.['controller-revision-hash']);
  }

  async function uids(namespace: string, app: string): Promise<string[]> {
    return (await podsOf(world, namespace, app)).map(({ metadata }) => metadata.uid);
  }

  /** Records the names of pods in the order of their deletion. */
  function recordDeletions(namespace: string) {
    const abort = new AbortController();
    const names: string[] = [];
    const watching = (async () => {
      const resourceVersion = (await world.client.resource(pods).list({ namespace })).metadata.resourceVersion;
      const events = world.client.resource<Pod>(pods).watch({ namespace, resourceVersion, signal: abort.signal });
      for await (const { type, object } of events) if (type === 'DELETED') names.push(object.metadata?.name ?? '');
    })().catch((error: unknown) => assert.ok(abort.signal.aborted, String(error)));
    return {
      async stop() {
        await until('six deletions', () => names.length === 6);
        abort.abort();
        await watching;
        return names;
      },
    };
  }
}
