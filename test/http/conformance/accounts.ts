import assert from 'node:assert/strict';
import { nodes, pods } from '../../../src/controllers/resources.ts';
import { until } from '../until.ts';
import { create, reached, resources, template, type World } from './world.ts';

const { configmaps, leases, serviceaccounts } = resources;

/** `[sig-auth] ServiceAccounts` and `[sig-node] Lease`. */
export function accountStories(world: World): void {
  it('should guarantee kube-root-ca.crt exist in any namespace', async () => {
    const namespace = await world.newNamespace();
    const resource = world.client.resource(configmaps);
    const present = async () =>
      (await resource.list({ namespace })).items.find(({ metadata }) => metadata?.name === 'kube-root-ca.crt');
    await until('the map', async () => (await present()) !== undefined);
    const ca = (await present())?.data?.['ca.crt'];
    assert.match(ca ?? '', /BEGIN CERTIFICATE/);
    await resource.delete('kube-root-ca.crt', { namespace });
    await until('the map again', async () => (await present())?.data?.['ca.crt'] === ca);
    await resource.patch('kube-root-ca.crt', { data: { 'ca.crt': '' } }, { type: 'merge', namespace });
    await until('the mended map', async () => (await present())?.data?.['ca.crt'] === ca);
  });

  it('should run through the lifecycle of a ServiceAccount, and make the default one again', async () => {
    const namespace = await world.newNamespace();
    const resource = world.client.resource(serviceaccounts);
    await create(world, serviceaccounts, namespace, { metadata: { name: 'own', labels: { story: 'life' } } });
    await resource.patch('own', { automountServiceAccountToken: false }, { type: 'merge', namespace });
    assert.equal((await resource.get('own', { namespace })).automountServiceAccountToken, false);
    await resource.deleteCollection({ namespace, labelSelector: 'story=life' });
    const { metadata } = await resource.get('default', { namespace });
    await resource.delete('default', { namespace });
    await until('the default account again', async () => {
      const { items } = await resource.list({ namespace });
      return items.length === 1 && items[0]?.metadata?.uid !== metadata?.uid;
    });
  });

  it('should mount an API token into pods, and allow opting out of API token automount', async () => {
    const namespace = await world.newNamespace();
    const metadata = (name: string) => ({ metadata: { name, labels: { app: 'a' } } });
    const usual = await create(world, pods, namespace, { ...template('a'), ...metadata('usual') });
    assert.match(usual.spec.volumes?.[0]?.name ?? '', /^kube-api-access-/);
    const spec = { automountServiceAccountToken: false };
    const without = await create(world, pods, namespace, { ...template('a', { spec }), ...metadata('without') });
    assert.deepEqual(without.spec.volumes ?? [], []);
  });

  it('tells the agents of a small cluster to keep no Secrets', async () => {
    const annotation = 'node.alpha.kubernetes.io/ttl';
    await reached(world, nodes, '', 'node-1', ({ metadata }) => metadata.annotations?.[annotation] === '0');
  });

  it('Lease API should be available, and stand-in nodes renew theirs', async () => {
    const resource = world.client.resource(leases);
    const { items } = await resource.list({ namespace: 'kube-node-lease' });
    assert.deepEqual(
      items.map(({ spec }) => spec?.holderIdentity),
      ['node-1', 'node-2'],
    );
  });
}
