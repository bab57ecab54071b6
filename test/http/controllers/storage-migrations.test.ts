import assert from 'node:assert/strict';
import { builtInResources } from '../../../src/client/built-in-resources.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { type Client, createClient } from '../../../src/client/index.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { connectionTo } from '../client/connection-to.ts';
import { until } from '../until.ts';

const { customresourcedefinitions, storageversionmigrations } = builtInResources('cluster');
const { schemaExtensionPrefix } = identifiersOf('cluster');
const things = { group: 'example.com', version: 'v1', resource: 'things' };

describe('a storage version migration', () => {
  let server: TestServer;
  let client: Client;
  before(async () => {
    server = await startServer({
      emulatedRelease: '1.36',
      controllers: true,
      runtimeConfig: [`${storageversionmigrations.group}/v1beta1=true`],
      featureGates: ['StorageVersionMigrator=true'],
    });
    client = createClient(connectionTo(server));
  });
  after(async () => {
    await client.close();
    await server.stop();
  });

  const migrate = async (name: string, group: string, resource: string) => {
    const migrations = client.resource(storageversionmigrations);
    await migrations.create({ metadata: { name }, spec: { resource: { group, resource } } });
    const conditions = async () => (await migrations.get(name)).status?.conditions ?? [];
    await until('the end', async () =>
      (await conditions()).some(({ type, status }) => type === 'Succeeded' && status === 'True'),
    );
    return conditions();
  };

  it('writes the objects of a custom kind in its present version, and no other objects', async () => {
    const schema = { openAPIV3Schema: { type: 'object', [`${schemaExtensionPrefix}preserve-unknown-fields`]: true } };
    const version = (name: string, storage: boolean) => ({ name, served: true, storage, schema });
    const spec = {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [version('v1', true), version('v2', false)],
    };
    const definitions = client.resource(customresourcedefinitions);
    await definitions.create({ metadata: { name: 'things.example.com' }, spec });
    const objects = client.resource(things);
    await until('the kind', () =>
      objects.list().then(
        () => true,
        () => false,
      ),
    );
    await objects.create({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'old' } });
    await definitions.patch(
      'things.example.com',
      [
        { op: 'replace', path: '/spec/versions/0/storage', value: false },
        { op: 'replace', path: '/spec/versions/1/storage', value: true },
      ] as never,
      { type: 'json' },
    );
    await objects.create({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'new' } });
    const versionOf = async (name: string) => (await objects.get(name)).metadata?.resourceVersion;
    const before = { old: await versionOf('old'), new: await versionOf('new') };
    const conditions = await migrate('things', 'example.com', 'things');
    assert.notEqual(await versionOf('old'), before.old);
    assert.equal(await versionOf('new'), before.new);
    assert.deepEqual(
      conditions.map(({ type, status, reason }) => [type, status, reason]),
      [
        ['Running', 'False', 'StorageVersionMigrationInProgress'],
        ['Succeeded', 'True', 'StorageVersionMigrationSucceeded'],
      ],
    );
  });
});
