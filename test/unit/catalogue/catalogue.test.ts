import assert from 'node:assert/strict';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { builtInCatalogue } from '../../../src/catalogue/definitions.ts';

const catalogue = builtInCatalogue(identifiersOf('cluster')).current;

function storageOf(group: string, version: string, resource: string) {
  const storage = catalogue.find(group, version, resource)?.info.storage;
  return storage && { ...storage, schema: storage.schema() };
}

describe('catalogue', () => {
  it('finds resources by URL and by kind', () => {
    const served = catalogue.find('networking.cl.io', 'v1', 'ingresses');
    assert.equal(served?.info.kind, 'Ingress');
    assert.equal(served?.version.schema().name, 'api.networking.v1.Ingress');
    assert.equal(catalogue.findKind('networking.cl.io', 'v1', 'Ingress'), served);
    assert.equal(catalogue.find('networking.cl.io', 'v9', 'ingresses'), undefined);
    assert.equal(catalogue.find('', 'v1', 'constructor'), undefined);
  });

  it('names groups under each set of identifiers', () => {
    const groups = builtInCatalogue(identifiersOf('kubernetes')).current.groups.map(({ group }) => group);
    assert.ok(groups.includes('flowcontrol.apiserver.k8s.io'));
    assert.ok(groups.includes('rbac.authorization.k8s.io'));
    assert.ok(groups.includes('apps'));
    assert.equal(groups[0], '');
  });

  it('prefers GA, then the newest', () => {
    const preferred = new Map(catalogue.groups.map((group) => [group.shortGroup, group]));
    assert.deepEqual(preferred.get('autoscaling')?.versions, ['v2', 'v1', 'v2beta2', 'v2beta1']);
    assert.equal(preferred.get('batch')?.versions[0], 'v1');
    assert.equal(preferred.get('flowcontrol')?.versions[0], 'v1');
  });

  it('stores one object where two groups serve it', () => {
    assert.deepEqual(storageOf('extensions', 'v1beta1', 'ingresses'), storageOf('networking.cl.io', 'v1', 'ingresses'));
    assert.deepEqual(storageOf('events.cl.io', 'v1', 'events'), storageOf('', 'v1', 'events'));
  });

  it('stores nothing of what cannot be watched', () => {
    const virtual = catalogue.resources.filter(({ storage }) => !storage).map(({ resource }) => resource);
    assert.deepEqual(virtual.toSorted(), [
      'bindings',
      'componentstatuses',
      'localsubjectaccessreviews',
      'selfsubjectaccessreviews',
      'selfsubjectreviews',
      'selfsubjectrulesreviews',
      'subjectaccessreviews',
      'tokenreviews',
    ]);
  });

  it('serves only the sub-resources that exist', () => {
    const names = catalogue.resources.flatMap(({ versions }) => versions.flatMap(({ subresources }) => subresources));
    assert.deepEqual([...new Set(names.map(({ name }) => name))].toSorted(), [
      'approval',
      'binding',
      'ephemeralcontainers',
      'eviction',
      'finalize',
      'resize',
      'rollback',
      'scale',
      'status',
      'token',
    ]);
    const attachments = catalogue.find('storage.cl.io', 'v1beta1', 'volumeattachments');
    assert.deepEqual(attachments?.version.subresources, []);
  });

  it('has each resource and kind once in a group, and stores it in a version it serves or that another row serves', () => {
    const seen = new Set<string>();
    for (const info of catalogue.resources) {
      const key = `${info.group}/${info.resource}`;
      assert.ok(!seen.has(key), key);
      seen.add(key);
      const { storage } = info;
      if (!storage) continue;
      const stored = catalogue.find(storage.group, storage.version, storage.resource);
      assert.equal(stored?.version.schema(), storage.schema(), key);
    }
  });

  it('says singular names, list kinds and categories as clients expect them', () => {
    assert.equal(catalogue.find('policy', 'v1beta1', 'podsecuritypolicies')?.info.singular, 'podsecuritypolicy');
    assert.equal(catalogue.find('', 'v1', 'endpoints')?.info.listKind, 'EndpointsList');
    assert.deepEqual(catalogue.find('apps', 'v1', 'deployments')?.info.categories, ['all']);
  });
});
