import assert from 'node:assert/strict';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import type { LiveCatalogue } from '../../../src/registry/live-catalogue.ts';
import { builtInCatalogue } from '../../../src/resources/definitions.ts';
import { openApiDefinitions } from '../../../src/scheme/open-api-schema.ts';

const identifiers = identifiersOf('kubernetes');
const kindsOf = ({ current }: LiveCatalogue) =>
  current.resources.flatMap(({ group, kind, versions }) =>
    versions.map(({ version, schema }) => ({ group, kind, version, schema: schema() })),
  );
const catalogue = builtInCatalogue(identifiers);
const definitions = openApiDefinitions(kindsOf(catalogue), identifiers);

describe('the published schema', () => {
  it('defines every kind in every version, and says which it is', () => {
    const said = Object.values(definitions).flatMap(
      (definition) =>
        (definition['x-kubernetes-group-version-kind'] ?? []) as { group: string; version: string; kind: string }[],
    );
    const names = new Set(said.map(({ group, version, kind }) => `${group}/${version} ${kind}`));
    for (const { group, kind, versions } of catalogue.current.resources) {
      for (const { version } of versions)
        assert.ok(names.has(`${group}/${version} ${kind}`), `${group}/${version} ${kind}`);
    }
  });

  it('refers only to what it defines', () => {
    const references = [...JSON.stringify(definitions).matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)].map(
      ([, name]) => name,
    );
    assert.ok(references.length > 500);
    assert.deepEqual(
      references.filter((name) => name === undefined || !definitions[name]),
      [],
    );
  });

  it('has types, formats, required fields and the merge keys of lists', () => {
    const deployment = definitions['api.apps.v1.DeploymentSpec'];
    assert.deepEqual(deployment?.required, ['selector']);
    assert.equal(deployment.properties?.['replicas']?.type, 'integer');
    const containers = definitions['api.core.v1.PodSpec']?.properties?.['containers'];
    assert.equal(containers?.type, 'array');
    assert.deepEqual(containers.items, { $ref: '#/definitions/api.core.v1.Container' });
    assert.equal(containers['x-kubernetes-patch-merge-key'], 'name');
    assert.deepEqual(containers['x-kubernetes-list-map-keys'], ['name']);
    assert.deepEqual(definitions['api.core.v1.Secret']?.properties?.['data']?.additionalProperties, {
      type: 'string',
      format: 'byte',
    });
    assert.ok(definitions['api.core.v1.Pod']?.properties?.['kind']);
  });

  it('spells its extensions by the identifiers', () => {
    const cluster = identifiersOf('cluster');
    const own = JSON.stringify(openApiDefinitions(kindsOf(builtInCatalogue(cluster)), cluster));
    assert.match(own, /"x-cluster-group-version-kind"/);
    assert.doesNotMatch(own, /"x-kubernetes-(?!preserve|embedded|int-or|list|map|validations)/);
  });
});
