import assert from 'node:assert/strict';
import { type Client, createClient, discover, type GenericObject, hasReason } from '../../../src/client/index.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { connectionTo } from '../client/connection-to.ts';
import { until } from '../until.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces', namespaced: false } as const;
const configMaps = { group: '', version: 'v1', resource: 'configmaps' } as const;
const secrets = { group: '', version: 'v1', resource: 'secrets' } as const;
const pods = { group: '', version: 'v1', resource: 'pods' } as const;
const definitions = {
  group: 'apiextensions.cl.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
  namespaced: false,
} as const;
const greetings = { group: 'example.com', version: 'v1', resource: 'greetings' } as const;

const definition = {
  metadata: { name: 'greetings.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'greetings', kind: 'Greeting' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};
const greeting = { apiVersion: 'example.com/v1', kind: 'Greeting', metadata: { name: 'hello' } };

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

const conditionsOf = (namespace: GenericObject | undefined): readonly string[] => {
  const { conditions = [] } = (namespace?.['status'] ?? {}) as { conditions?: readonly Condition[] };
  return conditions.map(({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`);
};

describe('deleted namespaces', () => {
  let server: TestServer;
  let client: Client;
  before(async () => {
    server = await startServer({ controllers: true });
    client = createClient(connectionTo(server));
  });
  after(async () => {
    await client.close();
    await server.stop();
  });

  const find = async (name: string): Promise<GenericObject | undefined> => {
    try {
      return await client.resource(namespaces).get(name);
    } catch (error) {
      if (hasReason(error, 'NotFound')) return undefined;
      throw error;
    }
  };
  const gone = (name: string) => until(`${name} to be gone`, async () => (await find(name)) === undefined);

  it('go with their content of all kinds, custom ones too, and leave that of others', async () => {
    await client.resource(definitions).create(definition);
    await until('the kind to be served', async () =>
      (await discover(client)).some(({ resource }) => resource === greetings.resource),
    );
    for (const name of ['full', 'other']) {
      await client.resource(namespaces).create({ metadata: { name } });
      const options = { namespace: name };
      for (const index of [0, 1, 2]) {
        await client.resource(configMaps).create({ metadata: { name: `m${index}` } }, options);
      }
      await client.resource(secrets).create({ metadata: { name: 's' } }, options);
      const spec = { containers: [{ name: 'c', image: 'i' }] };
      await client.resource(pods).create({ metadata: { name: 'p' }, spec }, options);
      await client.resource(greetings).create(greeting, options);
    }
    await client.resource(namespaces).delete('full');
    await gone('full');
    for (const reference of [configMaps, secrets, pods, greetings]) {
      const { items } = await client.resource(reference).list();
      const of = (name: string) => items.filter(({ metadata }) => metadata?.namespace === name).length;
      assert.equal(of('full'), 0, reference.resource);
      assert.ok(of('other') > 0, reference.resource);
    }
  });

  it('say in their conditions what remains, and go when that is gone', async () => {
    await client.resource(namespaces).create({ metadata: { name: 'held' } });
    for (const name of ['a', 'b']) {
      const metadata = { name, finalizers: ['example.com/hold'] };
      await client.resource(configMaps).create({ metadata }, { namespace: 'held' });
    }
    await client.resource(namespaces).delete('held');
    await until('the conditions', async () => conditionsOf(await find('held')).length === 5);
    assert.deepEqual(conditionsOf(await find('held')), [
      'NamespaceDeletionDiscoveryFailure False ResourcesDiscovered: All resources successfully discovered',
      'NamespaceDeletionGroupVersionParsingFailure False ParsedGroupVersions: All legacy kube types successfully parsed',
      'NamespaceDeletionContentFailure False ContentDeleted: All content successfully deleted, may be waiting on finalization',
      'NamespaceContentRemaining True SomeResourcesRemain: Some resources are remaining: configmaps. has 2 resource instances',
      'NamespaceFinalizersRemaining True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/hold in 2 resource instances',
    ]);
    for (const name of ['a', 'b']) {
      const patch = { metadata: { finalizers: null } };
      await client.resource(configMaps).patch(name, patch, { namespace: 'held', type: 'merge' });
    }
    await gone('held');
  });

  it('keep everything else until the last Pod is gone', async () => {
    await client.resource(namespaces).create({ metadata: { name: 'running' } });
    const options = { namespace: 'running' };
    await client.resource(configMaps).create({ metadata: { name: 'kept' } }, options);
    const metadata = { name: 'p', finalizers: ['example.com/run'] };
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await client.resource(pods).create({ metadata, spec }, options);
    await client.resource(namespaces).delete('running');
    await until('the conditions', async () =>
      conditionsOf(await find('running')).some((text) =>
        text.endsWith('Some resources are remaining: pods. has 1 resource instances'),
      ),
    );
    assert.equal((await client.resource(configMaps).get('kept', options)).metadata?.deletionTimestamp, undefined);
    await client.resource(pods).patch('p', { metadata: { finalizers: null } }, { ...options, type: 'merge' });
    await gone('running');
  });

  it('are left to the other finalizers of their specification', async () => {
    const spec = { finalizers: ['cluster', 'example.com/other'] };
    await client.resource(namespaces).create({ metadata: { name: 'shared' }, spec });
    await client.resource(namespaces).delete('shared');
    const finalizers = async () =>
      ((await client.resource(namespaces).get('shared'))['spec'] as typeof spec).finalizers;
    await until('the own finalizer to go', async () => (await finalizers()).length === 1);
    assert.deepEqual(await finalizers(), ['example.com/other']);
    await client.resource(namespaces).update({ metadata: { name: 'shared' }, spec: {} }, { subresource: 'finalize' });
    await gone('shared');
  });
});
