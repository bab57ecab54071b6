import assert from 'node:assert/strict';
import { hasReason } from '../../../src/client/index.ts';
import {
  deployments,
  pods,
  replicaSets,
  replicationControllers,
  services,
} from '../../../src/controllers/resources.ts';
import { until } from '../until.ts';
import { create, reached, resources, template, workload, type World } from './world.ts';

const { configmaps, persistentvolumeclaims, resourcequotas, secrets } = resources;

const lives = [
  { count: 'configmaps', reference: configmaps, object: { data: { a: 'b' } }, own: 1 },
  { count: 'secrets', reference: secrets, object: { stringData: { a: 'b' } }, own: 0 },
  { count: 'services', reference: services, object: { spec: { ports: [{ port: 80 }] } }, own: 0 },
  {
    count: 'replicationcontrollers',
    reference: replicationControllers,
    object: { spec: { replicas: 0, selector: { app: 'x' }, template: template('x') } },
    own: 0,
  },
  { count: 'count/replicasets.apps', reference: replicaSets, object: workload('x', { replicas: 0 }), own: 0 },
  { count: 'count/deployments.apps', reference: deployments, object: workload('x', { replicas: 0 }), own: 0 },
  {
    count: 'persistentvolumeclaims',
    reference: persistentvolumeclaims,
    object: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    own: 0,
  },
] as const;

/** `[sig-api-machinery] ResourceQuota`. */
export function quotaStories(world: World): void {
  const quota = (namespace: string, name: string, spec: object) =>
    create(world, resourcequotas, namespace, { metadata: { name }, spec });
  const used = (namespace: string, name: string, amounts: Record<string, string>) =>
    reached(world, resourcequotas, namespace, name, ({ status }) =>
      Object.entries(amounts).every(([resource, amount]) => status?.used?.[resource] === amount),
    );
  const pod = (name: string, requests: object, spec: object = {}) => ({
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'i', resources: { requests } }], ...spec },
  });

  for (const { count, reference, object, own } of lives) {
    it(`should create a ResourceQuota and capture the life of ${count}`, async () => {
      const namespace = await world.newNamespace();
      await quota(namespace, 'q', { hard: { [count]: '10' } });
      // The controllers write some objects into each namespace.
      const before = await reached(
        world,
        resourcequotas,
        namespace,
        'q',
        ({ status }) => Number(status?.used?.[count] ?? -1) >= own,
      );
      const start = Number(before.status?.used?.[count]);
      await create<object>(world, reference, namespace, { ...object, metadata: { name: 'x' } });
      await used(namespace, 'q', { [count]: String(start + 1) });
      await world.client.resource(reference as typeof pods).delete('x', { namespace });
      await used(namespace, 'q', { [count]: String(start) });
    });
  }

  it('should create a ResourceQuota and capture the life of a pod', async () => {
    const namespace = await world.newNamespace();
    await quota(namespace, 'q', { hard: { pods: '2', 'requests.cpu': '1', 'requests.memory': '500Mi' } });
    await used(namespace, 'q', { pods: '0', 'requests.cpu': '0' });
    await create(world, pods, namespace, pod('fits', { cpu: '500m', memory: '252Mi' }));
    await used(namespace, 'q', { pods: '1', 'requests.cpu': '500m', 'requests.memory': '252Mi' });
    const forbidden = (error: unknown) => hasReason(error, 'Forbidden');
    await assert.rejects(create(world, pods, namespace, pod('large', { cpu: '600m', memory: '1Mi' })), forbidden);
    await world.client.resource(pods).delete('fits', { namespace });
    await used(namespace, 'q', { pods: '0', 'requests.cpu': '0', 'requests.memory': '0' });
  });

  it('should verify ResourceQuota with terminating scopes', async () => {
    const namespace = await world.newNamespace();
    const hard = { pods: '5', 'requests.cpu': '5' };
    await quota(namespace, 'ending', { hard, scopes: ['Terminating'] });
    await quota(namespace, 'lasting', { hard, scopes: ['NotTerminating'] });
    await used(namespace, 'ending', { pods: '0' });
    await used(namespace, 'lasting', { pods: '0' });
    await create(world, pods, namespace, pod('a', { cpu: '500m' }));
    await used(namespace, 'lasting', { pods: '1', 'requests.cpu': '500m' });
    await used(namespace, 'ending', { pods: '0', 'requests.cpu': '0' });
    await world.client.resource(pods).delete('a', { namespace });
    await used(namespace, 'lasting', { pods: '0', 'requests.cpu': '0' });
    await create(world, pods, namespace, pod('b', { cpu: '500m' }, { activeDeadlineSeconds: 3600 }));
    await used(namespace, 'ending', { pods: '1', 'requests.cpu': '500m' });
    await used(namespace, 'lasting', { pods: '0' });
  });

  it('should verify ResourceQuota with best effort scope', async () => {
    const namespace = await world.newNamespace();
    await quota(namespace, 'best', { hard: { pods: '5' }, scopes: ['BestEffort'] });
    await quota(namespace, 'other', { hard: { pods: '5' }, scopes: ['NotBestEffort'] });
    await used(namespace, 'best', { pods: '0' });
    await used(namespace, 'other', { pods: '0' });
    await create(world, pods, namespace, pod('a', {}));
    await used(namespace, 'best', { pods: '1' });
    await create(world, pods, namespace, pod('b', { cpu: '1m' }));
    await used(namespace, 'other', { pods: '1' });
    await used(namespace, 'best', { pods: '1' });
  });

  it('should manage the lifecycle of a ResourceQuota, and apply changes to its status', async () => {
    const namespace = await world.newNamespace();
    const resource = world.client.resource(resourcequotas);
    await quota(namespace, 'life', { hard: { cpu: '1', memory: '500Mi' } });
    await used(namespace, 'life', { cpu: '0' });
    await resource.patch('life', { spec: { hard: { memory: '750Mi' } } }, { type: 'merge', namespace });
    await reached(world, resourcequotas, namespace, 'life', ({ status }) => status?.hard?.['memory'] === '750Mi');
    const forged = { status: { hard: { memory: '1Gi' } } };
    await resource.patch('life', forged, { type: 'merge', namespace, subresource: 'status' });
    await reached(world, resourcequotas, namespace, 'life', ({ status }) => status?.hard?.['memory'] === '750Mi');
    await resource.deleteCollection({ namespace });
    await until('no quota', async () => (await resource.list({ namespace })).items.length === 0);
  });

  it('should verify ResourceQuota of a custom resource', async () => {
    const namespace = await world.newNamespace();
    const { customresourcedefinitions } = resources;
    await create(world, customresourcedefinitions, '', {
      metadata: { name: 'boxes.quota.example.com' },
      spec: {
        group: 'quota.example.com',
        scope: 'Namespaced',
        names: { plural: 'boxes', singular: 'box', kind: 'Box' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    });
    const boxes = world.client.resource({ group: 'quota.example.com', version: 'v1', resource: 'boxes' });
    await until('the kind', () =>
      boxes.list({ namespace }).then(
        () => true,
        () => false,
      ),
    );
    await quota(namespace, 'q', { hard: { 'count/boxes.quota.example.com': '1' } });
    await used(namespace, 'q', { 'count/boxes.quota.example.com': '0' });
    const box = (name: string) => ({ apiVersion: 'quota.example.com/v1', kind: 'Box', metadata: { name } });
    await boxes.create(box('a'), { namespace });
    await used(namespace, 'q', { 'count/boxes.quota.example.com': '1' });
    await assert.rejects(boxes.create(box('b'), { namespace }), (error) => hasReason(error, 'Forbidden'));
    await boxes.delete('a', { namespace });
    await used(namespace, 'q', { 'count/boxes.quota.example.com': '0' });
  });
}
