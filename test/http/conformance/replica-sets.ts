import assert from 'node:assert/strict';
import { isReady } from '../../../src/kinds/core/pod.ts';
import { type Pod, pods, replicaSets, replicationControllers } from '../../../src/controllers/resources.ts';
import { until } from '../until.ts';
import {
  conditionIn,
  create,
  podsOf,
  reached,
  reportedBy,
  resources,
  template,
  workload,
  type World,
} from './world.ts';

const kinds = [
  {
    name: 'ReplicaSet',
    component: 'replicaset-controller',
    reference: replicaSets,
    selector: (app: string) => ({ matchLabels: { app } }),
  },
  {
    name: 'ReplicationController',
    component: 'replication-controller',
    // They differ only in their selectors, which the stories do not read.
    reference: replicationControllers as unknown as typeof replicaSets,
    selector: (app: string) => ({ app }),
  },
] as const;

/** `[sig-apps] ReplicaSet` and `[sig-apps] ReplicationController`. */
export function replicaSetStories(world: World): void {
  const ready = async (namespace: string, app: string) => (await podsOf(world, namespace, app)).filter(isReady);

  for (const { name, component, reference, selector } of kinds) {
    const resource = () => world.client.resource(reference);
    const object = (app: string, replicas: number) => ({
      metadata: { name: app, labels: { app } },
      spec: { replicas, selector: selector(app), template: template(app) },
    });

    it(`${name} should adopt matching pods on creation and release no longer matching pods`, async () => {
      const namespace = await world.newNamespace();
      const orphan = await create(world, pods, namespace, { ...template('adopt'), ...named('orphan', 'adopt') });
      const owner = await create(world, reference, namespace, object('adopt', 1));
      const ownerOf = async (): Promise<string | undefined> => {
        const { metadata } = await world.client.resource(pods).get('orphan', { namespace });
        return metadata.ownerReferences?.find(({ controller }) => controller)?.uid;
      };
      await until('the orphan to be adopted', async () => (await ownerOf()) === owner.metadata.uid);
      assert.deepEqual(await uidsOf(namespace, 'adopt'), [orphan.metadata.uid]);
      const released = { metadata: { labels: { app: 'other' } } };
      await world.client.resource(pods).patch('orphan', released, { type: 'merge', namespace });
      await until('the pod to be released', async () => (await ownerOf()) === undefined);
      await until('another pod', async () => (await uidsOf(namespace, 'adopt')).length === 1);
    });

    it(`${name} should surface a failure condition on a common issue like exceeded quota`, async () => {
      const namespace = await world.newNamespace();
      await create(world, resources.resourcequotas, namespace, {
        metadata: { name: 'two' },
        spec: { hard: { pods: '2' } },
      });
      await reached(world, resources.resourcequotas, namespace, 'two', ({ status }) => status?.hard?.['pods'] === '2');
      await create(world, reference, namespace, object('many', 3));
      const failing = await reached(
        world,
        reference,
        namespace,
        'many',
        ({ status }) => conditionIn(status, 'ReplicaFailure') === 'True',
      );
      assert.equal(failing.status?.conditions?.[0]?.reason, 'FailedCreate');
      await resource().patch('many', { spec: { replicas: 2 } }, { type: 'merge', namespace });
      await reached(
        world,
        reference,
        namespace,
        'many',
        ({ status }) => conditionIn(status, 'ReplicaFailure') === undefined && status?.readyReplicas === 2,
      );
    });

    it(`${name} should have a working scale subresource, and a lifecycle`, async () => {
      const namespace = await world.newNamespace();
      await create(world, reference, namespace, object('scaled', 1));
      await until('a pod', async () => (await ready(namespace, 'scaled')).length === 1);
      await reportedBy(world, namespace, component, 'SuccessfulCreate');
      const scale = await resource().get('scaled', { namespace, subresource: 'scale' });
      await resource().update({ ...scale, spec: { ...scale.spec, replicas: 2 } }, { namespace, subresource: 'scale' });
      await until('two pods', async () => (await ready(namespace, 'scaled')).length === 2);
      const patch = { spec: { replicas: 4 } };
      await resource().patch('scaled', patch, { type: 'merge', namespace, subresource: 'scale' });
      const full = await reached(
        world,
        reference,
        namespace,
        'scaled',
        ({ status }) => status?.availableReplicas === 4,
      );
      assert.deepEqual([full.status?.replicas, full.status?.fullyLabeledReplicas], [4, 4]);
      const image = { spec: { template: { spec: { containers: [{ name: 'c', image: 'app:2' }] } } } };
      await resource().patch('scaled', image, { type: 'strategic', namespace });
      assert.equal((await podsOf(world, namespace, 'scaled'))[0]?.spec.containers?.[0]?.image, 'app:1');
      await resource().deleteCollection({ namespace, labelSelector: 'app=scaled', propagationPolicy: 'Background' });
      await until('no pod', async () => (await podsOf(world, namespace, 'scaled')).length === 0);
    });
  }

  it('ReplicaSet should keep the conditions that others write to its status', async () => {
    const namespace = await world.newNamespace();
    await create(world, replicaSets, namespace, workload('state', { replicas: 1 }));
    await until('a pod', async () => (await ready(namespace, 'state')).length === 1);
    const patch = { status: { conditions: [{ type: 'StatusPatched', status: 'True' }] } };
    const options = { type: 'merge', namespace, subresource: 'status' } as const;
    await world.client.resource(replicaSets).patch('state', patch, options);
    await world.client.resource(replicaSets).patch('state', { spec: { replicas: 2 } }, { type: 'merge', namespace });
    const { status } = await reached(world, replicaSets, namespace, 'state', (set) => set.status?.readyReplicas === 2);
    assert.equal(conditionIn(status, 'StatusPatched'), 'True');
  });

  async function uidsOf(namespace: string, app: string): Promise<string[]> {
    return (await podsOf(world, namespace, app)).map(({ metadata }: Pod) => metadata.uid);
  }
}

function named(name: string, app: string) {
  return { metadata: { name, labels: { app } } };
}
