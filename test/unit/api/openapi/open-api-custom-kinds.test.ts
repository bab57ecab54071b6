import assert from 'node:assert/strict';
import type { OpenApiNames } from '../../../../src/api/openapi/operation.ts';
import { OpenApiDocuments } from '../../../../src/api/openapi/open-api-documents.ts';
import type { CustomResourceDefinition } from '../../../../src/gen/stored/apiextensions-v1.ts';
import { identifiersOf } from '../../../../src/identifiers/identifiers.ts';
import type { JsonObject } from '../../../../src/meta/json-value.ts';
import type { ConversionWebhooks } from '../../../../src/apiextensions/conversion/conversion-webhook.ts';
import { customResourceOf } from '../../../../src/apiextensions/custom-resources/custom-resource.ts';
import { schemaIn } from '../../../../src/apiextensions/custom-resources/definition-outline.ts';
import { connectSubresources } from '../../../../src/catalogue/connect-subresources.ts';
import { builtInCatalogue } from '../../../../src/catalogue/definitions.ts';

const identifiers = identifiersOf('kubernetes');
const names: OpenApiNames = {
  identifiers,
  connects: connectSubresources,
  documents: [],
  version: 'v1.23.0',
  mediaTypes: [],
  watchMediaTypes: [],
};

// The definition needs no conversion, so that nothing is read of it.
const webhooks = {} as ConversionWebhooks;

/** The resource of a definition of Widgets. */
function widgets(openAPIV3Schema: JsonObject, version: object = {}): ReturnType<typeof customResourceOf> {
  const crd = {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      conversion: { strategy: 'None' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...version }],
    },
    status: { acceptedNames: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' } },
  } as unknown as CustomResourceDefinition;
  return customResourceOf(crd, { readSchema: (name) => schemaIn(crd, name), webhooks, emulated: undefined });
}

/** A published schema. */
interface Described {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly required?: readonly string[];
  readonly [extension: `x-${string}`]: unknown;
}

describe('custom kinds', () => {
  it('are described without compiling their schemas', async () => {
    const openAPIV3Schema: JsonObject = { type: 'object', properties: { spec: { type: 'object' } } };
    const info = widgets(openAPIV3Schema)?.served;
    const [version] = info?.versions ?? [];
    assert.ok(info && version);
    const catalogue = builtInCatalogue(identifiers);
    const schema = (): never => assert.fail('a schema was compiled');
    catalogue.put({ ...info, versions: [{ ...version, schema }] });
    const documents = new OpenApiDocuments(catalogue, names);
    const { body } = await documents.version2('json');
    assert.ok(body.includes('"com.example.v1.Widget":{'));
    type Operations = Readonly<Record<string, { readonly produces: unknown; readonly responses: object }>>;
    const { paths } = JSON.parse(String(body)) as { readonly paths: Readonly<Record<string, Operations>> };
    const described = Object.keys(paths).filter((path) => path.startsWith('/apis/example.com/'));
    const collection = '/apis/example.com/v1/namespaces/{namespace}/widgets';
    assert.deepEqual(described, [collection, `${collection}/{name}`, '/apis/example.com/v1/widgets']);
    const { get, patch } = paths[`${collection}/{name}`] ?? {};
    assert.deepEqual(get?.produces, ['application/json', 'application/yaml']);
    assert.deepEqual(Object.keys(patch?.responses ?? {}), ['200', '401']);
    await documents.index();
    await documents.version2('protobuf');
  });

  it('have the fields of objects at their root and in embedded objects, and the fields that selectors may name', async () => {
    const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true };
    const open = { ...embedded, 'x-kubernetes-preserve-unknown-fields': true };
    const spec = { type: 'object', properties: { embedded, open, color: { type: 'string' } } };
    const selectableFields = [{ jsonPath: '.spec.color' }];
    const catalogue = builtInCatalogue(identifiers);
    const info = widgets({ type: 'object', properties: { spec } }, { selectableFields })?.served;
    assert.ok(info);
    catalogue.put(info);
    const documents = new OpenApiDocuments(catalogue, names);
    const schemasIn = (document: { readonly body: Uint8Array } | undefined, ...path: readonly string[]) =>
      path.reduce((at, name) => at[name] as JsonObject, JSON.parse(String(document?.body)) as JsonObject);
    const selectable = [{ fieldPath: 'spec.color' }];
    const version2 = schemasIn(await documents.version2('json'), 'definitions');
    const version3 = schemasIn((await documents.version3('apis/example.com/v1'))?.document, 'components', 'schemas');
    for (const [schemas, openFields] of [
      [version2, undefined],
      [version3, ['apiVersion', 'kind', 'metadata']],
    ] as const) {
      const { properties, ...kind } = schemas['com.example.v1.Widget'] as Described;
      assert.deepEqual(kind['x-kubernetes-selectable-fields'], selectable);
      const list = schemas['com.example.v1.WidgetList'] as Described;
      assert.deepEqual(list['x-kubernetes-selectable-fields'], selectable);
      assert.match(properties?.['metadata']?.description ?? '', /^Name, namespace/);
      const parts = properties?.['spec']?.properties;
      assert.deepEqual(Object.keys(parts?.['embedded']?.properties ?? {}).toSorted(), [
        'apiVersion',
        'kind',
        'metadata',
      ]);
      assert.deepEqual(parts?.['embedded']?.required, ['kind', 'apiVersion']);
      const found = parts?.['open']?.properties;
      assert.deepEqual(found && Object.keys(found).toSorted(), openFields);
    }
  });
});
