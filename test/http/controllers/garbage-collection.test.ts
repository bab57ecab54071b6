import assert from 'node:assert/strict';
import {
  type Client,
  createClient,
  type GenericObject,
  hasReason,
  type OwnerReference,
  type ResourceReference,
} from '../../../src/client/index.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { connectionTo } from '../client/connection-to.ts';
import { until } from '../until.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces', namespaced: false } as const;
const configMaps = { group: '', version: 'v1', resource: 'configmaps' } as const;
const secrets = { group: '', version: 'v1', resource: 'secrets' } as const;
const volumes = { group: '', version: 'v1', resource: 'persistentvolumes', namespaced: false } as const;
const events = { group: '', version: 'v1', resource: 'events' } as const;
const definitions = {
  group: 'apiextensions.cl.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
  namespaced: false,
} as const;
const planets = { group: 'example.com', version: 'v1', resource: 'planets', namespaced: false } as const;

const definition = {
  metadata: { name: 'planets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'planets', kind: 'Planet' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

const ownedBy = (owner: GenericObject, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: owner.apiVersion ?? 'v1',
  kind: owner.kind ?? '',
  name: owner.metadata?.name ?? '',
  uid: owner.metadata?.uid ?? '',
  ...more,
});

describe('objects with owners', () => {
  let server: TestServer;
  let client: Client;
  before(async () => {
    server = await startServer({ controllers: ['*'] });
    client = createClient(connectionTo(server));
  });
  after(async () => {
    await client.close();
    await server.stop();
  });
  afterEach(async () => {
    for (const reference of [configMaps, secrets, events]) {
      await client.resource(reference).deleteCollection({ namespace: 'default' });
    }
  });

  const configMap = (name: string, owners: readonly OwnerReference[] = [], more: object = {}) =>
    client.resource(configMaps).create({ metadata: { name, ownerReferences: [...owners], ...more } });
  const find = async (reference: ResourceReference, name: string, namespace?: string) => {
    try {
      return await client.resource(reference).get(name, { namespace });
    } catch (error) {
      if (hasReason(error, 'NotFound')) return undefined;
      throw error;
    }
  };
  const gone = (name: string) => until(`${name} to be gone`, async () => (await find(configMaps, name)) === undefined);
  const ownersOf = async (name: string) => (await find(configMaps, name))?.metadata?.ownerReferences ?? [];

  it('go after their owner, and those that they own, too', async () => {
    const owner = await configMap('a');
    const child = await configMap('b', [ownedBy(owner)]);
    await configMap('c', [ownedBy(child)]);
    const other = await configMap('d');
    await configMap('e', [ownedBy(owner), ownedBy(other)]);
    await client.resource(configMaps).delete('a', { propagationPolicy: 'Background' });
    await gone('c');
    await gone('b');
    await until('the reference to go', async () => (await ownersOf('e')).length === 1);
    assert.equal((await ownersOf('e'))[0]?.name, 'd');
  });

  it('go before an owner that is deleted in the foreground, unless they do not block it', async () => {
    const owner = await configMap('a');
    const held = { finalizers: ['example.com/hold'] };
    await configMap('b', [ownedBy(owner, { blockOwnerDeletion: true })], held);
    await client.resource(secrets).create({ metadata: { name: 's', ownerReferences: [ownedBy(owner)] } });
    await client.resource(configMaps).delete('a', { propagationPolicy: 'Foreground' });
    await until('the secret to go', async () => (await find(secrets, 's')) === undefined);
    await until(
      'b to be deleted',
      async () => (await find(configMaps, 'b'))?.metadata?.deletionTimestamp !== undefined,
    );
    assert.deepEqual((await find(configMaps, 'a'))?.metadata?.finalizers, ['foregroundDeletion']);
    await client.resource(configMaps).patch('b', { metadata: { finalizers: null } }, { type: 'merge' });
    await gone('b');
    await gone('a');
  });

  it('stay without their owner if they are orphaned', async () => {
    const owner = await configMap('a');
    await configMap('b', [ownedBy(owner)]);
    await client.resource(configMaps).delete('a', { propagationPolicy: 'Orphan' });
    await gone('a');
    assert.deepEqual(await ownersOf('b'), []);
  });

  it('go when they own each other', async () => {
    const owner = await configMap('a');
    const child = await configMap('b', [ownedBy(owner, { blockOwnerDeletion: true })]);
    const ownerReferences = [ownedBy(child, { blockOwnerDeletion: true })];
    await client.resource(configMaps).patch('a', { metadata: { ownerReferences } }, { type: 'merge' });
    await client.resource(configMaps).delete('a', { propagationPolicy: 'Foreground' });
    await gone('a');
    await gone('b');
  });

  it('go if their owner is absent, or has another uid or namespace', async () => {
    const owner = await configMap('a');
    await client.resource(namespaces).create({ metadata: { name: 'other' } });
    await configMap('b', [ownedBy(owner, { name: 'never-was', uid: 'x' })]);
    await configMap('c', [ownedBy(owner, { uid: 'y' })]);
    await client
      .resource(configMaps)
      .create({ metadata: { name: 'd', ownerReferences: [ownedBy(owner)] } }, { namespace: 'other' });
    await gone('b');
    await gone('c');
    await until('d to be gone', async () => (await find(configMaps, 'd', 'other')) === undefined);
    let messages: unknown[] = [];
    await until('an Event', async () => {
      const { items } = await client.resource(events).list({ namespace: 'other' });
      messages = items.map(({ reason, message, type }) => [type, reason, message]);
      return messages.length > 0;
    });
    const shown = `[v1/ConfigMap, namespace: other, name: a, uid: ${owner.metadata?.uid}]`;
    assert.deepEqual(messages[0], [
      'Warning',
      'OwnerRefInvalidNamespace',
      `ownerRef ${shown} does not exist in namespace "other"`,
    ]);
    assert.ok(await find(configMaps, 'a'));
  });

  it('stay if they are of the cluster and their owner is of a namespace', async () => {
    const owner = await configMap('a');
    const metadata = { name: 'v', ownerReferences: [ownedBy(owner)] };
    const spec = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/tmp' } };
    await client.resource(volumes).create({ metadata, spec });
    let found: GenericObject[] = [];
    await until('an Event', async () => {
      found = (await client.resource(events).list({ namespace: 'default' })).items;
      return found.length > 0;
    });
    assert.match(String(found[0]?.['message']), /does not exist in namespace ""$/);
    await client.resource(configMaps).delete('a');
    await configMap('b', [ownedBy(owner)]);
    await gone('b');
    assert.ok(await find(volumes, 'v'));
  });

  it('go with owners of kinds that were defined meanwhile, and with the kind', async () => {
    await client.resource(definitions).create(definition);
    const create = (name: string) =>
      client.resource(planets).create({ apiVersion: 'example.com/v1', kind: 'Planet', metadata: { name } });
    let mars: GenericObject | undefined;
    await until('the kind to be served', async () => {
      mars = await create('mars').catch(() => undefined);
      return mars !== undefined;
    });
    const venus = await create('venus');
    if (mars) await configMap('of-mars', [ownedBy(mars)]);
    await configMap('of-venus', [ownedBy(venus)]);
    await client.resource(planets).delete('mars');
    await gone('of-mars');
    assert.ok(await find(configMaps, 'of-venus'));
    await client.resource(definitions).delete('planets.example.com');
    await gone('of-venus');
  });
});
