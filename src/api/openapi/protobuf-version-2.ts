import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  DefinitionsSchema,
  DocumentSchema,
  type OperationSchema,
  type ParametersItemSchema,
  PathsSchema,
  type SchemaSchema,
} from '../../gen/openapi/v2/openapi_pb.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { OpenApiSchema, OpenApiStyle } from '../../scheme/open-api-schema.ts';
import { type DocumentFormat, completeOperations, embedded, encoded, extensionsOf, yamlOf } from './document-piece.ts';
import { type PathItem, bearerToken } from './operation.ts';
import {
  type BodyParameter,
  type OperationInVersion2,
  type PathInVersion2,
  pathInVersion2,
  type ResponseInVersion2,
  type UrlParameter,
} from './path-in-version-2.ts';

/** The Protobuf of version 2. */
export const protobufVersion2: DocumentFormat = {
  version: 2,
  path: (item: PathItem, style: OpenApiStyle) => encoded(PathsSchema, { path: [pathItem(item, style)] }),
  remotePath: (path, item) => encoded(PathsSchema, { path: [{ name: path, value: pathValue(remoteItem(item)) }] }),
  definition: (name: string, schema: OpenApiSchema) =>
    encoded(DefinitionsSchema, { additionalProperties: named({ [name]: schema }) }),
  layOut: ({ paths, definitions }, { identifiers, version }) => [
    encoded(DocumentSchema, { swagger: '2.0', info: { title: identifiers.product, version } }),
    ...embedded(DocumentSchema.field.paths.number, paths),
    ...embedded(DocumentSchema.field.definitions.number, definitions),
    encoded(DocumentSchema, {
      security: Object.keys(bearerToken).map((name) => ({ additionalProperties: [{ name, value: { value: [] } }] })),
      securityDefinitions: {
        additionalProperties: Object.entries(bearerToken).map(([name, apiKeySecurity]) => ({
          name,
          value: { apiKeySecurity },
        })),
      },
    }),
  ],
};

function pathItem(item: PathItem, style: OpenApiStyle) {
  return { name: item.path, value: pathValue(pathInVersion2(item, style)) };
}

function pathValue({ parameters = [], ...operations }: PathInVersion2) {
  const methods = Object.entries(operations).map(([method, value]) => [method, operation(value)]);
  return { ...Object.fromEntries(methods), parameters: parameters.filter(isEncoded).map(parameterItem) };
}

/** A path of another server. Its values can be anything, so that encoding it may throw. */
function remoteItem(item: JsonObject): PathInVersion2 {
  return completeOperations(item, { schemes: [], consumes: [], produces: [] });
}

function operation(value: OperationInVersion2): MessageInitShape<typeof OperationSchema> {
  const { description, operationId, tags, schemes, consumes, produces, parameters = [], responses } = value;
  return {
    description,
    operationId,
    tags: [...tags],
    schemes: [...schemes],
    consumes: [...consumes],
    produces: [...produces],
    parameters: parameters.filter(isEncoded).map(parameterItem),
    responses: { responseCode: Object.entries(responses).map(([name, response]) => responseValue(name, response)) },
    vendorExtension: extensionsOf(value),
  };
}

function parameterItem(value: UrlParameter | BodyParameter): MessageInitShape<typeof ParametersItemSchema> {
  if (value.in === 'body') {
    const { name, required = false, schema } = value;
    return { parameter: { bodyParameter: { name, in: value.in, required, schema: schemaMessage(schema) } } };
  }
  const { name, in: place, type, description, required = false, uniqueItems } = value;
  const parameter = { name, in: place, type, description, required, uniqueItems };
  return { parameter: { nonBodyParameter: { [subSchemas[place]]: parameter } } };
}

/** The fields of parameters in the URL by their place. */
const subSchemas = { query: 'queryParameterSubSchema', path: 'pathParameterSubSchema' } as const;

/** Parameters of other servers can be in headers and forms, which this encoding leaves out. */
function isEncoded({ in: place }: UrlParameter | BodyParameter): boolean {
  return place === 'body' || Object.hasOwn(subSchemas, place);
}

function responseValue(name: string, { description, schema }: ResponseInVersion2) {
  const item = schema ? { schema: { schema: schemaMessage(schema) } } : {};
  return { name, value: { response: { description, ...item } } };
}

function named(schemas: Readonly<Record<string, OpenApiSchema>>) {
  return Object.entries(schemas).map(([name, value]) => ({ name, value: schemaMessage(value) }));
}

function schemaMessage(schema: OpenApiSchema): MessageInitShape<typeof SchemaSchema> {
  return {
    ref: schema.$ref ?? '',
    format: schema.format ?? '',
    description: schema.description ?? '',
    required: [...(schema.required ?? [])],
    enum: (schema.enum ?? []).map((value) => ({ yaml: yamlOf(value) })),
    ...(schema.type ? { type: { value: [schema.type] } } : {}),
    ...(schema.items ? { items: { schema: [schemaMessage(schema.items)] } } : {}),
    ...(schema.additionalProperties
      ? { additionalProperties: { schema: schemaMessage(schema.additionalProperties) } }
      : {}),
    ...(schema.properties ? { properties: { additionalProperties: named(schema.properties) } } : {}),
    vendorExtension: extensionsOf(schema),
  };
}
