import assert from 'node:assert/strict';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { openApiDefinition } from '../../../src/scheme/open-api-definition.ts';
import type { OpenApiSchema } from '../../../src/scheme/open-api-schema.ts';
import { schemaOf } from '../../../src/scheme/schema-of.ts';

function published(message: string, release: string): OpenApiSchema {
  return openApiDefinition(schemaOf(message, release), { version: 3, identifiers: identifiersOf('kubernetes') }).schema;
}

describe('openApiDefinition', () => {
  it('requires the fields that the release requires', () => {
    const requiredBy = (message: string, release: string) => published(message, release).required ?? [];
    assert.deepEqual(requiredBy('api.core.v1.HostAlias', '1.29'), []);
    assert.deepEqual(requiredBy('api.core.v1.HostAlias', '1.30'), ['ip']);
    assert.ok(requiredBy('api.apps.v1.StatefulSetSpec', '1.32').includes('serviceName'));
    assert.ok(!requiredBy('api.apps.v1.StatefulSetSpec', '1.33').includes('serviceName'));
  });

  it('shows the fields of which at most one is set', () => {
    assert.deepEqual(published('api.core.v1.SeccompProfile', '1.36')['x-kubernetes-unions'], [
      { discriminator: 'type', 'fields-to-discriminateBy': { localhostProfile: 'LocalhostProfile' } },
    ]);
  });

  it('lists the values of a field that the rules of its kind check, those of the release in order', () => {
    const valuesOf = (message: string, field: string, release: string) =>
      published(message, release).properties?.[field]?.enum;
    assert.deepEqual(valuesOf('api.core.v1.Taint', 'effect', '1.36'), ['NoExecute', 'NoSchedule', 'PreferNoSchedule']);
    assert.deepEqual(valuesOf('api.core.v1.Toleration', 'operator', '1.34'), ['Equal', 'Exists']);
    assert.deepEqual(valuesOf('api.core.v1.Toleration', 'operator', '1.35'), ['Equal', 'Exists', 'Gt', 'Lt']);
    assert.deepEqual(valuesOf('api.core.v1.PodSpec', 'restartPolicy', '1.36'), ['Always', 'Never', 'OnFailure']);
  });

  it('says which objects a strategic merge patch replaces', () => {
    const { selector } = published('api.policy.v1.PodDisruptionBudgetSpec', '1.36').properties ?? {};
    assert.equal(selector?.['x-kubernetes-patch-strategy'], 'replace');
  });

  it('has an empty default for a string that is always there, whatever its values', () => {
    const { type } = published('api.core.v1.SeccompProfile', '1.36').properties ?? {};
    assert.equal(type?.default, '');
  });
});
