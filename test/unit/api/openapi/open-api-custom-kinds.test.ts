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

describe('custom kinds', () => {
  it('are described without compiling their schemas', async () => {
    const openAPIV3Schema: JsonObject = { type: 'object', properties: { spec: { type: 'object' } } };
    const crd = {
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        conversion: { strategy: 'None' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      },
      status: { acceptedNames: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' } },
    } as unknown as CustomResourceDefinition;
    const info = customResourceOf(crd, {
      readSchema: (name) => schemaIn(crd, name),
      webhooks,
      emulated: undefined,
    })?.served;
    const [version] = info?.versions ?? [];
    assert.ok(info && version);
    const catalogue = builtInCatalogue(identifiers);
    const schema = (): never => assert.fail('a schema was compiled');
    catalogue.put({ ...info, versions: [{ ...version, schema }] });
    const documents = new OpenApiDocuments(catalogue, names);
    const { body } = await documents.version2('json');
    assert.ok(body.includes('"com.example.v1.Widget":{'));
    type Described = Readonly<Record<string, { readonly produces: unknown; readonly responses: object }>>;
    const { paths } = JSON.parse(String(body)) as { readonly paths: Readonly<Record<string, Described>> };
    const described = Object.keys(paths).filter((path) => path.startsWith('/apis/example.com/'));
    const collection = '/apis/example.com/v1/namespaces/{namespace}/widgets';
    assert.deepEqual(described, [collection, `${collection}/{name}`, '/apis/example.com/v1/widgets']);
    const { get, patch } = paths[`${collection}/{name}`] ?? {};
    assert.deepEqual(get?.produces, ['application/json', 'application/yaml']);
    assert.deepEqual(Object.keys(patch?.responses ?? {}), ['200', '401']);
    await documents.index();
    await documents.version2('protobuf');
  });
});
