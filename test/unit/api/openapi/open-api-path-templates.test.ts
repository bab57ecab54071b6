import assert from 'node:assert/strict';
import type { DocumentFormat } from '../../../../src/api/openapi/document-format.ts';
import { encodedSection } from '../../../../src/api/openapi/encoded-section.ts';
import { jsonVersion2, jsonVersion3 } from '../../../../src/api/openapi/json-document.ts';
import type { OpenApiNames } from '../../../../src/api/openapi/operation.ts';
import { templatedSection } from '../../../../src/api/openapi/path-templates.ts';
import { protobufVersion2 } from '../../../../src/api/openapi/protobuf-version-2.ts';
import { protobufVersion3 } from '../../../../src/api/openapi/protobuf-version-3.ts';
import { OpenApiRenderings } from '../../../../src/api/openapi/renderings.ts';
import { resourcePaths } from '../../../../src/api/openapi/resource-paths.ts';
import { identifiersOf } from '../../../../src/identifiers/identifiers.ts';
import type { JsonObject } from '../../../../src/meta/json-value.ts';
import type { ServedResource } from '../../../../src/registry/definition/catalogue.ts';
import type { ConversionWebhooks } from '../../../../src/apiextensions/conversion/conversion-webhook.ts';
import { customResourceOf } from '../../../../src/apiextensions/custom-resources/custom-resource.ts';
import { schemaIn } from '../../../../src/apiextensions/custom-resources/definition-outline.ts';
import { connectSubresources } from '../../../../src/catalogue/connect-subresources.ts';
import { builtInCatalogue } from '../../../../src/catalogue/definitions.ts';

const identifiers = identifiersOf('kubernetes');
const names: OpenApiNames = { identifiers, connects: connectSubresources, documents: [], version: 'v1.23.0' };

const formats: Readonly<Record<string, DocumentFormat>> = {
  'JSON of version 2': jsonVersion2,
  'JSON of version 3': jsonVersion3,
  'Protobuf of version 2': protobufVersion2,
  'Protobuf of version 3': protobufVersion3,
};

/** Definitions that differ in all that paths depend on; names may be of any length. */
const shapes: readonly (readonly [group: string, kind: string, scope: string, version: JsonObject])[] = [
  ['example.com', 'Widget', 'Namespaced', { name: 'v1' }],
  ['a.b', 'W', 'Namespaced', { name: 'v1' }],
  ['widgets.k8s.io', 'Widget', 'Namespaced', { name: 'v1beta1', subresources: { status: {} } }],
  ['example.com', 'Long'.repeat(15), 'Cluster', { name: 'v2', subresources: { scale: {}, status: {} } }],
  ['group.example', 'Kind', 'Cluster', { name: 'v1alpha12' }],
];

// The definitions need no conversion, so that nothing is read of it.
const webhooks = {} as ConversionWebhooks;

function servedOf([group, kind, scope, version]: (typeof shapes)[number]): ServedResource {
  const plural = `${kind.toLowerCase()}s`;
  const schema: JsonObject = { type: 'object', properties: { spec: { type: 'object' } } };
  const crd: JsonObject = {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, kind },
      versions: [{ served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version }],
    },
    status: { acceptedNames: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` } },
  };
  const info = customResourceOf(crd, { readSchema: (name) => schemaIn(crd, name), webhooks })?.served;
  const [first] = info?.versions ?? [];
  assert.ok(info && first);
  return { info, version: first };
}

describe('the paths of custom resources', () => {
  for (const [title, format] of Object.entries(formats)) {
    it(`are the same from a template as one by one, in the ${title}`, () => {
      // Twice, so that a template that was made of the first is used by the others.
      for (const served of [...shapes, ...shapes].map(servedOf)) {
        const filled = templatedSection(served, format, names);
        const single = encodedSection(resourcePaths(served, names), format, { version: format.version, identifiers });
        assert.ok(filled);
        assert.deepEqual(
          filled.paths.map(({ name, bytes }) => [name, bytes.toString('latin1')]),
          single.paths.map(({ name, bytes }) => [name, bytes.toString('latin1')]),
        );
        assert.deepEqual(new Set(filled.schemas), new Set(single.schemas));
        assert.ok(filled.paths.length > 1);
      }
    });
  }

  it('are described without compiling their schemas', async () => {
    const catalogue = builtInCatalogue(identifiers);
    const { info, version } = servedOf(['example.com', 'Widget', 'Namespaced', { name: 'v1' }]);
    const schema = (): never => assert.fail('a schema was compiled');
    catalogue.put({ ...info, versions: [{ ...version, schema }] });
    const renderings = new OpenApiRenderings(catalogue, names);
    const { body } = await renderings.version2('json');
    assert.ok(body.includes('"com.example.v1.Widget":{'));
    await renderings.index();
    await renderings.version2('protobuf');
  });
});
