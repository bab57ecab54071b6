import assert from 'node:assert/strict';
import { builtInCatalogue } from '../../../src/catalogue/definitions.ts';
import type { ResourceDefinition } from '../../../src/registry/definition/resource-definition.ts';
import { minimalObject } from '../../http/minimal-objects.ts';
import { type Fixture, identifiers, startFixture } from './fixture.ts';

const owner = { apiVersion: '/v1', kind: 'Event', name: 'e', uid: 'u' };

/** Metadata that no kind takes, and the field that is refused. */
const malformed: readonly [what: string, metadata: object, field: string][] = [
  ['a finalizer', { finalizers: ['a b'] }, 'metadata.finalizers'],
  ['two finalizers that exclude each other', { finalizers: ['orphan', 'foregroundDeletion'] }, 'metadata.finalizers'],
  ['a label', { labels: { 'a b': '' } }, 'metadata.labels'],
  ['an annotation', { annotations: { 'a b': '' } }, 'metadata.annotations'],
  ['an owner', { ownerReferences: [{ ...owner, apiVersion: 'a/b/c' }] }, 'metadata.ownerReferences.apiVersion'],
  ['an event for an owner', { ownerReferences: [owner] }, 'metadata.ownerReferences'],
  ['the base of a name', { generateName: 'a/b' }, 'metadata.generateName'],
];

/** Kinds whose finalizers need no domain. */
const plainFinalizers: ReadonlySet<string> = new Set([
  'apiservices',
  'customresourcedefinitions',
  'events',
  'leases',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'mutatingwebhookconfigurations',
  'poddisruptionbudgets',
  'runtimeclasses',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'validatingwebhookconfigurations',
]);

/** Kinds of which only the name that a base gives is checked in the newest release. */
const anyBase: ReadonlySet<string> = new Set(['deviceclasses', 'replicationcontrollers']);

const rows = builtInCatalogue(identifiers).current.resources.filter(
  ({ storage, versions: [preferred], group, resource }) => {
    const isStoredElsewhere = storage?.group !== group || storage.resource !== resource;
    return storage && !isStoredElsewhere && preferred?.verbs.includes('update');
  },
);

describe('the metadata of', () => {
  let server: Fixture;
  before(async () => {
    server = await startFixture();
  });
  after(() => server[Symbol.asyncDispose]());

  const pathOf = ({ group, namespaced, resource, versions }: ResourceDefinition): string => {
    const root = group === '' ? '/api' : `/apis/${group}`;
    return `${root}/${versions[0]?.version}${namespaced ? '/namespaces/default' : ''}/${resource}`;
  };
  const patch = (path: string, metadata: object) =>
    server.send({ method: 'PATCH', path, body: { metadata }, type: 'application/merge-patch+json' });

  for (const info of rows) {
    it(`${info.resource} has to be well-formed after an update`, async () => {
      const body = minimalObject(info, identifiers, 'm');
      const created = await server.send({ method: 'POST', path: pathOf(info), body });
      assert.equal(created.status, 201, created.text);
      const path = `${pathOf(info)}/${String(created.at('metadata.name'))}`;
      for (const [what, metadata, field] of malformed) {
        const refused = await patch(path, metadata);
        if (anyBase.has(info.resource) && field === 'metadata.generateName') {
          assert.equal(refused.status, 200, refused.text);
          continue;
        }
        assert.equal(refused.status, 422, `${what}: ${refused.text}`);
        assert.equal(refused.at('details.causes.0.field'), field);
        const causes = (refused.at('details.causes') as object[]).map((cause) => JSON.stringify(cause));
        assert.deepEqual(causes, [...new Set(causes)], what);
      }
      const plain = await patch(path, { finalizers: ['x'] });
      assert.equal(plain.status, plainFinalizers.has(info.resource) ? 200 : 422, plain.text);
    });
  }

  it('a config map counts controllers by their names', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    const reference = (name: string) => ({ ...owner, kind: 'Pod', name, uid: name, controller: true });
    const causesOf = async (...names: string[]) => {
      const body = { metadata: { name: 'c', ownerReferences: names.map(reference) } };
      const refused = await server.send({ method: 'POST', path, body });
      assert.equal(refused.status, 422, refused.text);
      return (refused.at('details.causes') as { field: string }[]).map(({ field }) => field);
    };
    const field = 'metadata.ownerReferences';
    assert.deepEqual(await causesOf('a', 'b'), [field]);
    assert.deepEqual(await causesOf('', 'a'), [`${field}.name`, `${field}.uid`]);
    assert.deepEqual(await causesOf('a', ''), [`${field}.name`, `${field}.uid`, field]);
  });

  it('a budget may begin with a point where its name is made', async () => {
    const path = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
    const made = await server.send({ method: 'POST', path, body: { metadata: { generateName: '.' } } });
    assert.equal(made.status, 201, made.text);
    const named = await server.send({ method: 'POST', path, body: { metadata: { name: '.' } } });
    assert.equal(named.status, 422, named.text);
  });

  it('a deployment has to be well-formed after a write to its status', async () => {
    const info = rows.find(({ resource }) => resource === 'deployments');
    assert.ok(info);
    const refused = await patch(`${pathOf(info)}/m/status`, { finalizers: ['a b', 'x'] });
    assert.deepEqual(
      (refused.at('details.causes') as { field: string }[]).map(({ field }) => field),
      ['metadata.finalizers', 'metadata.finalizers[0]', 'metadata.finalizers[1]'],
    );
  });

  it('a flow schema is not changed by a write to its status', async () => {
    const info = rows.find(({ resource }) => resource === 'flowschemas');
    assert.ok(info);
    const path = `${pathOf(info)}/m/status`;
    const kept = await patch(path, { generateName: 'm-', uid: 'another', deletionGracePeriodSeconds: 5 });
    assert.equal(kept.status, 200, kept.text);
    assert.equal(kept.at('metadata.generateName'), undefined);
  });

  it('a definition of custom resources gets finalizers by a write to its status', async () => {
    const info = rows.find(({ resource }) => resource === 'customresourcedefinitions');
    assert.ok(info);
    const body = minimalObject(info, identifiers, 'n');
    const path = `${pathOf(info)}/${(body['metadata'] as { name: string }).name}`;
    await server.send({ method: 'POST', path: pathOf(info), body });
    const changed = await patch(`${path}/status`, { finalizers: ['example.com/a'], labels: { a: 'b' } });
    assert.deepEqual(changed.at('metadata.finalizers'), ['example.com/a'], changed.text);
    assert.equal(changed.at('metadata.labels'), undefined);
  });
});
