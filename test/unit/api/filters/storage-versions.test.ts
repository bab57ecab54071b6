import assert from 'node:assert/strict';
import { storageVersions } from '../../../../src/api/filters/storage-versions.ts';
import type { Exchange } from '../../../../src/api/request/exchange.ts';
import { builtInDefinitions } from '../../../../src/catalogue/definitions.ts';
import { identifiersOf } from '../../../../src/identifiers/identifiers.ts';
import type { LiveCatalogue } from '../../../../src/registry/definition/live-catalogue.ts';
import { StatusError } from '../../../../src/status/status-error.ts';

const identifiers = identifiersOf('kubernetes');
const definitions = builtInDefinitions(identifiers);
// The filter reads nothing else of it.
const catalogue = {
  current: {
    resource: (group: string, resource: string) =>
      definitions.find((one) => one.group === group && one.resource === resource),
  },
} as unknown as LiveCatalogue;

describe('a server that has not written its StorageVersions', () => {
  let pending = true;
  const filter = storageVersions({ identifiers, catalogue, arePending: () => pending });
  const refusal = (verb: string, group: string, resource: string, namespace = ''): string => {
    const exchange = { verb, path: { target: { group, resource, namespace } } } as unknown as Exchange;
    try {
      void filter(exchange);
    } catch (error) {
      assert.ok(error instanceof StatusError);
      assert.equal(error.code, 503);
      return error.message;
    }
    return '';
  };

  it('refuses writes of stored objects, not reads, until it has', () => {
    const text =
      'wait for storage version registration to complete for resource: deployments.apps, last seen error: <nil>';
    pending = true;
    assert.equal(refusal('create', 'apps', 'deployments'), text);
    assert.match(refusal('deletecollection', '', 'configmaps'), /resource: configmaps,/);
    for (const verb of ['get', 'list', 'watch']) assert.equal(refusal(verb, 'apps', 'deployments'), '');
    pending = false;
    assert.equal(refusal('create', 'apps', 'deployments'), '');
  });

  it('takes what it needs for that: StorageVersions and Leases of the system, and reviews', () => {
    pending = true;
    assert.equal(refusal('update', 'internal.apiserver.k8s.io', 'storageversions'), '');
    assert.equal(refusal('update', 'coordination.k8s.io', 'leases', 'kube-system'), '');
    assert.match(refusal('update', 'coordination.k8s.io', 'leases', 'default'), /resource: leases\.coordination/);
    assert.equal(refusal('create', 'authorization.k8s.io', 'subjectaccessreviews'), '');
  });
});
