import assert from 'node:assert/strict';
import { fromBinary } from '@bufbuild/protobuf';
import {
  type DefaultType,
  type Document,
  DocumentSchema,
  type MediaTypes,
  type NamedAny,
  type NamedSchemaOrReference,
  type Operation,
  type ParameterOrReference,
  type Schema,
  type SchemaOrReference,
} from '../../../src/gen/openapi/v3/openapi_pb.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { type Fixture, startFixture } from './fixture.ts';

const asked = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';
const answered = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';

describe('/openapi/v3 in Protobuf', () => {
  let fixture: Fixture;

  before(async () => {
    fixture = await startFixture();
  });

  after(() => fixture[Symbol.asyncDispose]());

  const get = (path: string, accept: string) => fixture.send({ path, headers: { accept } });

  it('says the same as the JSON of every document', async () => {
    const { paths } = (await get('/openapi/v3', '*/*')).json() as { paths: Record<string, object> };
    for (const path of Object.keys(paths)) {
      const { status, headers, bytes } = await get(`/openapi/v3/${path}`, asked);
      assert.equal(status, 200);
      assert.equal(headers['content-type'], answered);
      const json = (await get(`/openapi/v3/${path}`, 'application/json')).json() as JsonObject;
      assert.deepEqual(documentOf(fromBinary(DocumentSchema, bytes)), withScalarDefaults(json), path);
    }
  });

  it('is at the addresses of the index, with a tag of its own', async () => {
    const { paths } = (await get('/openapi/v3', '*/*')).json() as { paths: Record<string, Record<string, string>> };
    const url = paths['apis/apps/v1']?.['serverRelativeURL'] ?? '';
    const { status, headers } = await get(url, answered);
    assert.equal(status, 200);
    assert.equal(headers['cache-control'], 'public, immutable');
    assert.notEqual(headers.etag, (await get(url, 'application/json')).headers.etag);
    assert.equal((await get('/openapi/v3/apis/apps/v1?hash=0A', asked)).headers.location, url);
    assert.equal((await get('/openapi/v3/apis/none/v1', asked)).status, 404);
  });
});

/** The encoding has no defaults that are objects or lists; an empty one stands for them. */
function withScalarDefaults(value: JsonValue, isSchema = true): JsonValue {
  if (Array.isArray(value)) return value.map((item) => withScalarDefaults(item));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => {
    const emptied = isSchema && key === 'default' && typeof one === 'object';
    return [key, emptied ? {} : withScalarDefaults(one, key !== 'properties')];
  });
  return Object.fromEntries(entries) as JsonObject;
}

function documentOf({ openapi, info, paths, components, security }: Document): JsonObject {
  return {
    openapi,
    info: { title: info?.title ?? '', version: info?.version ?? '' },
    paths: Object.fromEntries(
      (paths?.path ?? []).map(({ name, value }) => {
        const { parameters = [], $typeName: _, $unknown: none, ...operations } = value ?? {};
        assert.equal(none, undefined);
        const methods = Object.entries(operations).map(([method, operation]) => [method, operationOf(operation)]);
        return [name, { ...Object.fromEntries(methods), ...listed({ parameters: parameters.map(parameterOf) }) }];
      }),
    ),
    components: {
      schemas: namedOf(components?.schemas?.additionalProperties ?? []),
      securitySchemes: Object.fromEntries(
        (components?.securitySchemes?.additionalProperties ?? []).map(({ name, value }) => {
          const { type = '', description = '', name: header = '', in: place = '' } = value?.securityScheme ?? {};
          return [name, { type, description, name: header, in: place }];
        }),
      ),
    },
    security: security.map(({ additionalProperties }) =>
      Object.fromEntries(additionalProperties.map(({ name, value }) => [name, value?.value ?? []])),
    ),
  };
}

function operationOf({ tags, description, operationId, ...rest }: Operation): JsonObject {
  const { requestBody: body } = rest.requestBody ?? {};
  return {
    tags,
    description,
    operationId,
    ...listed({ parameters: rest.parameters.map(parameterOf) }),
    ...(body
      ? { requestBody: { content: contentOf(body.content), ...(body.required ? { required: true } : {}) } }
      : {}),
    responses: Object.fromEntries(
      (rest.responses?.responseOrReference ?? []).map(({ name, value }) => {
        const { description: text = '', content } = value?.response ?? {};
        return [name, { description: text, ...(content ? { content: contentOf(content) } : {}) }];
      }),
    ),
    ...extensionsOf(rest.specificationExtension),
  };
}

function parameterOf({ parameter }: ParameterOrReference): JsonObject {
  const { name = '', in: place = '', description = '', required, schema } = parameter ?? {};
  return { name, in: place, description, ...(required ? { required } : {}), schema: schemaOf(schema) };
}

function contentOf(content: MediaTypes | undefined): JsonObject {
  const types = content?.additionalProperties ?? [];
  return Object.fromEntries(types.map(({ name, value }) => [name, { schema: schemaOf(value?.schema) }]));
}

function namedOf(schemas: readonly NamedSchemaOrReference[]): JsonObject {
  return Object.fromEntries(schemas.map(({ name, value }) => [name, schemaOf(value)]));
}

function schemaOf(item: SchemaOrReference | undefined): JsonObject {
  if (item?.reference) return { $ref: item.reference.ref };
  return item?.schema ? wholeSchemaOf(item.schema) : {};
}

function wholeSchemaOf(schema: Schema): JsonObject {
  const { uniqueItems, items, properties, additionalProperties } = schema;
  return {
    ...listed({
      required: schema.required,
      enum: schema.enum.map(({ yaml }) => yaml),
      allOf: schema.allOf.map(schemaOf),
      oneOf: schema.oneOf.map(schemaOf),
    }),
    ...(uniqueItems ? { uniqueItems } : {}),
    ...(schema.type ? { type: schema.type } : {}),
    ...(schema.description ? { description: schema.description } : {}),
    ...(schema.format ? { format: schema.format } : {}),
    ...(items ? { items: schemaOf(items.schemaOrReference[0]) } : {}),
    ...(properties ? { properties: namedOf(properties.additionalProperties) } : {}),
    ...(additionalProperties ? { additionalProperties: schemaOf(additionalProperties.schemaOrReference) } : {}),
    ...(schema.default ? { default: defaultOf(schema.default) } : {}),
    ...extensionsOf(schema.specificationExtension),
  };
}

function defaultOf({ number, boolean, string }: DefaultType): JsonValue {
  return number ?? boolean ?? string ?? {};
}

/** Extensions are YAML: strings without quotes, or JSON. */
function extensionsOf(extensions: readonly NamedAny[]): JsonObject {
  return Object.fromEntries(
    extensions.map(({ name, value }) => {
      const { yaml = '' } = value ?? {};
      return [name, /^[[{]|^(?:true|false|\d+)$/.test(yaml) ? (JSON.parse(yaml) as JsonValue) : yaml];
    }),
  );
}

function listed(lists: Readonly<Record<string, readonly JsonValue[]>>): JsonObject {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as JsonObject;
}
