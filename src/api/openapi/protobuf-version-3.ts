import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ComponentsSchema,
  type DefaultTypeSchema,
  DocumentSchema,
  type MediaTypesSchema,
  type OperationSchema,
  type ParameterOrReferenceSchema,
  PathsSchema,
  type SchemaOrReferenceSchema,
  type SchemaSchema,
  SchemasOrReferencesSchema,
} from '../../gen/openapi/v3/openapi_pb.ts';
import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import type { OpenApiSchema, OpenApiStyle } from '../../scheme/open-api-schema.ts';
import { type DocumentFormat, completeOperations, embedded, encoded, extensionsOf, yamlOf } from './document-piece.ts';
import { type PathItem, bearerToken } from './operation.ts';
import {
  type Content,
  type OperationInVersion3,
  type ParameterInVersion3,
  type PathInVersion3,
  pathInVersion3,
  type ResponseInVersion3,
} from './path-in-version-3.ts';

/** The Protobuf of version 3. */
export const protobufVersion3: DocumentFormat = {
  version: 3,
  path: (item: PathItem, style: OpenApiStyle) => encoded(PathsSchema, { path: [pathItem(item, style)] }),
  remotePath: (path, item) => encoded(PathsSchema, { path: [{ name: path, value: pathValue(remoteItem(item)) }] }),
  definition: (name: string, schema: OpenApiSchema) =>
    encoded(SchemasOrReferencesSchema, { additionalProperties: named({ [name]: schema }) }),
  layOut: ({ paths, definitions }, { identifiers, version }) => [
    encoded(DocumentSchema, { openapi: '3.0.0', info: { title: identifiers.product, version } }),
    ...embedded(DocumentSchema.field.paths.number, paths),
    ...embedded(DocumentSchema.field.components.number, [
      ...embedded(ComponentsSchema.field.schemas.number, definitions),
      encoded(ComponentsSchema, { securitySchemes: { additionalProperties: securitySchemes } }),
    ]),
    encoded(DocumentSchema, {
      security: Object.keys(bearerToken).map((name) => ({ additionalProperties: [{ name, value: { value: [] } }] })),
    }),
  ],
};

const securitySchemes = Object.entries(bearerToken).map(([name, securityScheme]) => ({
  name,
  value: { securityScheme },
}));

function pathItem(item: PathItem, style: OpenApiStyle) {
  return { name: item.path, value: pathValue(pathInVersion3(item, style)) };
}

/** A path of another server. Its values can be anything, so that encoding it may throw. */
function remoteItem(item: JsonObject): PathInVersion3 {
  return completeOperations(item, {});
}

function pathValue({ parameters = [], ...operations }: PathInVersion3) {
  const methods = Object.entries(operations).map(([method, value]) => [method, operation(value)]);
  return { ...Object.fromEntries(methods), parameters: parameters.map(parameterItem) };
}

function operation(value: OperationInVersion3): MessageInitShape<typeof OperationSchema> {
  const { tags, description, operationId, parameters = [], requestBody, responses } = value;
  return {
    tags: [...tags],
    description,
    operationId,
    parameters: parameters.map(parameterItem),
    ...(requestBody
      ? { requestBody: { requestBody: { ...requestBody, content: contentItem(requestBody.content) } } }
      : {}),
    responses: {
      responseOrReference: Object.entries(responses).map(([name, response]) => responseItem(name, response)),
    },
    specificationExtension: extensionsOf(value),
  };
}

function parameterItem({
  schema,
  ...parameter
}: ParameterInVersion3): MessageInitShape<typeof ParameterOrReferenceSchema> {
  return { parameter: { ...parameter, schema: schemaItem(schema) } };
}

function responseItem(name: string, { description, content }: ResponseInVersion3) {
  return { name, value: { response: { description, ...(content ? { content: contentItem(content) } : {}) } } };
}

function contentItem(content: Content): MessageInitShape<typeof MediaTypesSchema> {
  const types = Object.entries(content);
  return { additionalProperties: types.map(([name, { schema }]) => ({ name, value: { schema: schemaItem(schema) } })) };
}

function named(schemas: Readonly<Record<string, OpenApiSchema>>) {
  return Object.entries(schemas).map(([name, schema]) => ({ name, value: schemaItem(schema) }));
}

function schemaItem(schema: OpenApiSchema): MessageInitShape<typeof SchemaOrReferenceSchema> {
  return schema.$ref === undefined ? { schema: schemaMessage(schema) } : { reference: { ref: schema.$ref } };
}

function schemaMessage(schema: OpenApiSchema): MessageInitShape<typeof SchemaSchema> {
  const { items, additionalProperties, properties } = schema;
  return {
    uniqueItems: schema.uniqueItems ?? false,
    required: [...(schema.required ?? [])],
    enum: (schema.enum ?? []).map((value) => ({ yaml: yamlOf(value) })),
    type: schema.type ?? '',
    allOf: (schema.allOf ?? []).map(schemaItem),
    oneOf: (schema.oneOf ?? []).map(schemaItem),
    description: schema.description ?? '',
    format: schema.format ?? '',
    ...(items ? { items: { schemaOrReference: [schemaItem(items)] } } : {}),
    ...(properties ? { properties: { additionalProperties: named(properties) } } : {}),
    ...(additionalProperties ? { additionalProperties: { schemaOrReference: schemaItem(additionalProperties) } } : {}),
    ...(schema.default === undefined ? {} : { default: defaultItem(schema.default) }),
    specificationExtension: extensionsOf(schema),
  };
}

/** A default that is an object or a list is an empty message: the encoding has only scalars. */
function defaultItem(value: JsonValue): MessageInitShape<typeof DefaultTypeSchema> {
  if (typeof value === 'number') return { number: value };
  if (typeof value === 'boolean') return { boolean: value };
  return typeof value === 'string' ? { string: value } : {};
}
