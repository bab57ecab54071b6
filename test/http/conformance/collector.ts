import assert from 'node:assert/strict';
import type { ApiObject, OwnerReference } from '../../../src/client/index.ts';
import {
  cronJobs,
  deployments,
  jobs,
  pods,
  replicaSets,
  replicationControllers,
} from '../../../src/controllers/resources.ts';
import { isReady } from '../../../src/kinds/core/pod.ts';
import { until } from '../until.ts';
import { create, outcome, podsOf, resources, template, workload, type World } from './world.ts';

/** `[sig-api-machinery] Garbage collector`. */
export function collectorStories(world: World): void {
  const setsOf = async (namespace: string) => (await world.client.resource(replicaSets).list({ namespace })).items;
  const controllersOf = async (namespace: string) =>
    (await world.client.resource(replicationControllers).list({ namespace })).items;
  const replicationController = async (namespace: string, app: string, replicas: number) => {
    const created = await create(world, replicationControllers, namespace, {
      metadata: { name: app },
      spec: { replicas, selector: { app }, template: template(app) },
    });
    await until('the pods', async () => (await podsOf(world, namespace, app)).filter(isReady).length === replicas);
    return created;
  };

  it('should delete RS created by deployment when not orphaning', async () => {
    const namespace = await world.newNamespace();
    await create(world, deployments, namespace, workload('whole', { replicas: 2 }));
    await until('the pods', async () => (await podsOf(world, namespace, 'whole')).length === 2);
    await world.client.resource(deployments).delete('whole', { namespace, propagationPolicy: 'Background' });
    await until('no set', async () => (await setsOf(namespace)).length === 0);
    await until('no pod', async () => (await podsOf(world, namespace, 'whole')).length === 0);
  });

  it('should orphan RS created by deployment when deleteOptions.PropagationPolicy is Orphan', async () => {
    const namespace = await world.newNamespace();
    await create(world, deployments, namespace, workload('left', { replicas: 2 }));
    await until('the pods', async () => (await podsOf(world, namespace, 'left')).length === 2);
    await world.client.resource(deployments).delete('left', { namespace, propagationPolicy: 'Orphan' });
    await until('no deployment', async () => {
      const { items } = await world.client.resource(deployments).list({ namespace });
      return items.length === 0;
    });
    const [set] = await setsOf(namespace);
    assert.deepEqual([set?.metadata.ownerReferences ?? [], set?.metadata.deletionTimestamp], [[], undefined]);
    assert.equal((await podsOf(world, namespace, 'left')).length, 2);
  });

  it('should delete pods created by rc when not orphaning, and orphan them if delete options say so', async () => {
    const namespace = await world.newNamespace();
    await replicationController(namespace, 'taken', 3);
    await replicationController(namespace, 'kept', 3);
    const resource = world.client.resource(replicationControllers);
    await resource.delete('taken', { namespace, propagationPolicy: 'Background' });
    await resource.delete('kept', { namespace, propagationPolicy: 'Orphan' });
    await until('no pod of the first', async () => (await podsOf(world, namespace, 'taken')).length === 0);
    await until('no controller', async () => (await controllersOf(namespace)).length === 0);
    const kept = await podsOf(world, namespace, 'kept');
    assert.deepEqual(
      kept.map(({ metadata }) => [metadata.ownerReferences?.length ?? 0, metadata.deletionTimestamp]),
      [1, 2, 3].map(() => [0, undefined]),
    );
  });

  it('should keep the rc around until all its pods are deleted if the deleteOptions says so', async () => {
    const namespace = await world.newNamespace();
    await replicationController(namespace, 'last', 3);
    const [pod] = await podsOf(world, namespace, 'last');
    const name = pod?.metadata.name ?? '';
    const hold = (finalizers: string[] | null) =>
      world.client.resource(pods).patch(name, { metadata: { finalizers } }, { type: 'merge', namespace });
    await hold(['example.com/hold']);
    await world.client.resource(replicationControllers).delete('last', { namespace, propagationPolicy: 'Foreground' });
    await until('one pod to be left', async () => (await podsOf(world, namespace, 'last')).length === 1);
    const [controller] = await controllersOf(namespace);
    assert.deepEqual(controller?.metadata.finalizers, ['foregroundDeletion']);
    await hold(null);
    await until('no controller', async () => (await controllersOf(namespace)).length === 0);
  });

  it('should not delete dependents that have both valid owner and owner that is waiting for dependents', async () => {
    const namespace = await world.newNamespace();
    const stays = await replicationController(namespace, 'stays', 1);
    await replicationController(namespace, 'goes', 4);
    const shared = (await podsOf(world, namespace, 'goes')).slice(0, 2);
    for (const { metadata } of shared) {
      const ownerReferences = [...(metadata.ownerReferences ?? []), referenceTo(stays, 'ReplicationController')];
      const change = { metadata: { ownerReferences } };
      await world.client.resource(pods).patch(metadata.name, change, { type: 'merge', namespace });
    }
    await world.client.resource(replicationControllers).delete('goes', { namespace, propagationPolicy: 'Foreground' });
    await until('one controller', async () => (await controllersOf(namespace)).length === 1);
    const left = await podsOf(world, namespace, 'goes');
    assert.deepEqual(
      left.map(({ metadata }) => metadata.uid),
      shared.map(({ metadata }) => metadata.uid),
    );
    assert.deepEqual(
      left.map(({ metadata }) => metadata.ownerReferences?.map(({ name }) => name)),
      [['stays'], ['stays']],
    );
  });

  it('should not be blocked by dependency circle', async () => {
    const namespace = await world.newNamespace();
    const made = [];
    for (const name of ['one', 'two', 'three']) {
      made.push(
        await create(world, pods, namespace, { ...template('ring'), metadata: { name, labels: { app: 'ring' } } }),
      );
    }
    for (const [index, { metadata }] of made.entries()) {
      const owner = made[(index + 2) % 3];
      const change = { metadata: { ownerReferences: [referenceTo(owner ?? {}, 'Pod', 'v1')] } };
      await world.client.resource(pods).patch(metadata.name, change, { type: 'merge', namespace });
    }
    await world.client.resource(pods).delete('one', { namespace, propagationPolicy: 'Foreground' });
    await until('no pod', async () => (await podsOf(world, namespace, 'ring')).length === 0);
  });

  it('should delete jobs and pods created by cronjob', async () => {
    const namespace = await world.newNamespace();
    const spec = { restartPolicy: 'Never' };
    await create(world, cronJobs, namespace, {
      metadata: { name: 'timed' },
      spec: {
        schedule: '@every 1s',
        concurrencyPolicy: 'Forbid',
        jobTemplate: { spec: { template: template('timed', { annotations: { [outcome]: 'Running' }, spec }) } },
      },
    });
    await until('a pod', async () => (await podsOf(world, namespace, 'timed')).length > 0);
    await world.client.resource(cronJobs).delete('timed', { namespace, propagationPolicy: 'Background' });
    await until('no job and no pod', async () => {
      const { items } = await world.client.resource(jobs).list({ namespace });
      return items.length === 0 && (await podsOf(world, namespace, 'timed')).length === 0;
    });
  });

  it('should support cascading and orphan deletion of custom resources, also of kinds just defined', async () => {
    const { customresourcedefinitions } = resources;
    const schema = { openAPIV3Schema: { type: 'object' } };
    for (const group of ['one', 'two', 'three', 'four'].map((name) => `${name}.story.example.com`)) {
      await create(world, customresourcedefinitions, '', {
        metadata: { name: `canes.${group}` },
        spec: {
          group,
          scope: 'Cluster',
          names: { plural: 'canes', singular: 'cane', kind: 'Cane' },
          versions: [{ name: 'v1', served: true, storage: true, schema }],
        },
      });
      const apiVersion = `${group}/v1`;
      const resource = world.client.resource({ group, version: 'v1', resource: 'canes', namespaced: false });
      await until('the kind', () =>
        resource.list().then(
          () => true,
          () => false,
        ),
      );
      for (const name of ['first', 'second']) {
        const owner = await resource.create({ apiVersion, kind: 'Cane', metadata: { name } });
        const ownerReferences = [referenceTo(owner, 'Cane', apiVersion)];
        await resource.create({ apiVersion, kind: 'Cane', metadata: { name: `${name}-dependent`, ownerReferences } });
      }
      // The collector may see the kind for the first time now, with an owner that is being deleted.
      await resource.delete('first', { propagationPolicy: 'Background' });
      await resource.delete('second', { propagationPolicy: 'Orphan' });
      await until('only the orphan', async () => {
        const { items } = await resource.list();
        const found = items.map(({ metadata }) => `${metadata?.name} ${metadata?.ownerReferences?.length ?? 0}`);
        return found.join() === 'second-dependent 0';
      });
      await world.client.resource(customresourcedefinitions).delete(`canes.${group}`);
    }
  });
}

function referenceTo({ metadata }: ApiObject, kind: string, apiVersion = 'v1'): OwnerReference {
  return { apiVersion, kind, name: metadata?.name ?? '', uid: metadata?.uid ?? '', blockOwnerDeletion: true };
}
