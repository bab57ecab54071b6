import assert from 'node:assert/strict';
import { hasReason } from '../../../src/client/index.ts';
import { pods, services } from '../../../src/controllers/resources.ts';
import { until } from '../until.ts';
import { conditionIn, create, reached, resources, template, type World } from './world.ts';

const { namespaces } = resources;

/** `[sig-api-machinery] Namespaces [Serial]`. */
export function namespaceStories(world: World): void {
  const resource = () => world.client.resource(namespaces);
  const isGone = (name: string) =>
    resource()
      .get(name)
      .then(
        () => false,
        (error: unknown) => hasReason(error, 'NotFound'),
      );
  const gone = (name: string) => until(`${name} to be gone`, () => isGone(name));

  it('should ensure that all pods and services are removed when a namespace is deleted', async () => {
    const namespace = await world.newNamespace();
    const metadata = { name: 'p', labels: { app: 'p' } };
    await create(world, pods, namespace, {
      ...template('p', { spec: { terminationGracePeriodSeconds: 21 } }),
      metadata,
    });
    await create(world, services, namespace, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } });
    await reached(world, pods, namespace, 'p', ({ status }) => status?.phase === 'Running');
    await resource().delete(namespace);
    await gone(namespace);
    await create(world, namespaces, '', { metadata: { name: namespace } });
    const left = await Promise.all(
      [pods, services].map((each) => world.client.resource(each as typeof pods).list({ namespace })),
    );
    assert.deepEqual(
      left.map(({ items }) => items),
      [[], []],
    );
  });

  it('should always delete fast: many namespaces at once', async () => {
    const names = await Promise.all(Array.from({ length: 20 }, () => world.newNamespace()));
    await Promise.all(names.map((name) => resource().delete(name)));
    for (const name of names) await gone(name);
  });

  it('should patch and update a Namespace, and apply changes to its status', async () => {
    const name = await world.newNamespace();
    await resource().patch(name, { metadata: { labels: { story: 'patched' } } }, { type: 'merge' });
    const condition = { type: 'StatusPatch', status: 'True', reason: 'E2E', message: 'Patched by an e2e test' };
    await resource().patch(name, { status: { conditions: [condition] } }, { type: 'merge', subresource: 'status' });
    const present = await resource().get(name);
    assert.deepEqual(
      [present.metadata?.labels?.['story'], conditionIn(present.status, 'StatusPatch')],
      ['patched', 'True'],
    );
    await resource().delete(name);
    await gone(name);
  });

  it('should apply a finalizer to a Namespace, and say what content remains', async () => {
    const name = await world.newNamespace();
    const own = { metadata: { name: 'held', finalizers: ['example.com/hold'] } };
    await create(world, resources.configmaps, name, own);
    const present = await resource().get(name);
    const spec = { ...present.spec, finalizers: [...(present.spec?.finalizers ?? []), 'e2e.example.com/finalizer'] };
    await resource().update({ ...present, spec }, { subresource: 'finalize' });
    await resource().delete(name);
    const held = await reached(
      world,
      namespaces,
      '',
      name,
      ({ status }) => conditionIn(status, 'NamespaceFinalizersRemaining') === 'True',
    );
    const messages = Object.fromEntries((held.status?.conditions ?? []).map(({ type, message }) => [type, message]));
    assert.equal(
      messages['NamespaceContentRemaining'],
      'Some resources are remaining: configmaps. has 1 resource instances',
    );
    assert.equal(
      messages['NamespaceFinalizersRemaining'],
      'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
    );
    const release = { metadata: { finalizers: null } };
    await world.client.resource(resources.configmaps).patch('held', release, { type: 'merge', namespace: name });
    const finalized = await reached(world, namespaces, '', name, (each) => each.spec?.finalizers?.length === 1);
    assert.deepEqual(finalized.spec?.finalizers, ['e2e.example.com/finalizer']);
    await resource().update({ ...finalized, spec: { ...finalized.spec, finalizers: [] } }, { subresource: 'finalize' });
    await gone(name);
  });
}
