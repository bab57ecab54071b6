import assert from 'node:assert/strict';
import type { CustomResourceDefinition } from '../../../../src/gen/stored/apiextensions-v1.ts';
import type { JsonObject } from '../../../../src/meta/json-value.ts';
import { nameOf } from '../../../../src/meta/object-meta.ts';
import { objectAt } from '../../../../src/meta/read-field.ts';
import type { ResourceDefinition } from '../../../../src/registry/definition/resource-definition.ts';
import type { ListQuery } from '../../../../src/registry/definition/registry.ts';
import type { ConversionWebhooks } from '../../../../src/apiextensions/conversion/conversion-webhook.ts';
import { customResourceOf } from '../../../../src/apiextensions/custom-resources/custom-resource.ts';
import { type Fixture, parsed, startFixture, write } from '../fixture.ts';

const group = 'example.com';
const count = 300;

/** Converts nothing: the definitions have no webhook. */
const webhooks = {} as ConversionWebhooks;

/** Versions v1, the storage version, and v2, with these selectable fields. */
function gears(fields: Readonly<Record<string, readonly string[]>>): ResourceDefinition {
  const openAPIV3Schema: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const names = { plural: 'gears', singular: 'gear', kind: 'Gear', listKind: 'GearList' };
  const versions = ['v1', 'v2'].map((name) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema },
    selectableFields: (fields[name] ?? []).map((field) => ({ jsonPath: `.spec.${field}` })),
  }));
  const crd = {
    metadata: { name: `gears.${group}` },
    spec: { group, scope: 'Namespaced', names, conversion: { strategy: 'None' }, versions },
    status: { acceptedNames: names },
  } as unknown as CustomResourceDefinition;
  const served = customResourceOf(crd, { readSchema: () => openAPIV3Schema, webhooks })?.served;
  assert.ok(served);
  return served;
}

describe('objects of versions without a conversion', () => {
  let fixture: Fixture;
  let converted = 0;

  const start = async (fields: Readonly<Record<string, readonly string[]>>): Promise<void> => {
    fixture = startFixture();
    const definition = gears(fields);
    const { conversion } = definition;
    assert.ok(conversion);
    const convert: typeof conversion.convert = (objects, apiVersion) => {
      converted += objects.length;
      return conversion.convert(objects, apiVersion);
    };
    fixture.catalogue.put({ ...definition, conversion: { ...conversion, convert } });
    for (let index = 0; index < count; index++) {
      const labels: JsonObject = index % 100 === 7 ? { app: 'some' } : {};
      const metadata = { name: `gear-${index}`, namespace: 'ns', labels };
      const object = { apiVersion: `${group}/v1`, kind: 'Gear', metadata, spec: { size: String(index % 100) } };
      await fixture.registry('gears', group).create(fixture.scope({ group }), object, write);
    }
    converted = 0;
  };
  afterEach(() => fixture.close());

  const list = async (query: Omit<ListQuery, 'at'>): Promise<readonly JsonObject[]> => {
    const scope = fixture.scope({ group, version: 'v2' });
    const { items } = await fixture.registry('gears', group).list(scope, { ...query, at: { kind: 'latest' } });
    return items.map(parsed);
  };
  const labelled: Omit<ListQuery, 'at'> = {
    filter: ({ labels }) => labels.get('app') === 'some',
    terms: { all: [{ kind: 'label', name: 'app', values: ['some'] }], complete: true },
    limit: 0,
  };

  it('are selected before they are shown in another version', async () => {
    await start({});
    const items = await list(labelled);
    assert.deepEqual(items.map(nameOf), ['gear-107', 'gear-207', 'gear-7']);
    assert.deepEqual(new Set(items.map((item) => item['apiVersion'])), new Set([`${group}/v2`]));
    assert.equal(converted, 3);
    assert.deepEqual((await list({ ...labelled, limit: 2 })).map(nameOf), ['gear-107', 'gear-207']);
    assert.equal(converted, 3);
  });

  it('are selected after that, if the versions have other fields for selectors', async () => {
    await start({ v2: ['size'] });
    const items = await list({ filter: ({ fields }) => fields.get('spec.size') === '7', limit: 0 });
    assert.deepEqual(
      items.map((item) => objectAt(item, 'spec')['size']),
      ['7', '7', '7'],
    );
    assert.equal(converted, count);
  });

  it('are selected by the fields that both versions have', async () => {
    await start({ v1: ['size'], v2: ['size'] });
    const items = await list({ filter: ({ fields }) => fields.get('spec.size') === '7', limit: 0 });
    assert.equal(items.length, 3);
    assert.equal(converted, 3);
  });
});
