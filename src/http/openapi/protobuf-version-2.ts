import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  DefinitionsSchema,
  DocumentSchema,
  type OperationSchema,
  type ParametersItemSchema,
  PathsSchema,
  type SchemaSchema,
} from '../../gen/openapi/v2/openapi_pb.ts';
import type { OpenApiSchema, OpenApiStyle } from '../../scheme/open-api-schema.ts';
import type { DocumentFormat } from './encode-document.ts';
import type { PathItem } from './operation.ts';
import {
  type BodyParameter,
  type OperationInVersion2,
  pathInVersion2,
  type ResponseInVersion2,
  type UrlParameter,
} from './path-in-version-2.ts';
import { embedded, encoded, extensionsOf, yamlOf } from './protobuf-pieces.ts';
import { bearerToken } from './security.ts';

/** The Protobuf of version 2. */
export const protobufVersion2: DocumentFormat = {
  version: 2,
  path: (item: PathItem, style: OpenApiStyle) => encoded(PathsSchema, { path: [pathItem(item, style)] }),
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
  const { parameters = [], ...operations } = pathInVersion2(item, style);
  const methods = Object.entries(operations).map(([method, value]) => [method, operation(value)]);
  return { name: item.path, value: { ...Object.fromEntries(methods), parameters: parameters.map(parameterItem) } };
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
    parameters: parameters.map(parameterItem),
    responses: { responseCode: Object.entries(responses).map(([name, response]) => responseValue(name, response)) },
    vendorExtension: extensionsOf(value),
  };
}

function parameterItem(value: UrlParameter | BodyParameter): MessageInitShape<typeof ParametersItemSchema> {
  if (value.in === 'body') {
    const { name, required = false, schema } = value;
    return { parameter: { bodyParameter: { name, in: value.in, required, schema: schemaMessage(schema) } } };
  }
  const parameter = { required: false, ...value };
  const isQuery = value.in === 'query';
  return {
    parameter: {
      nonBodyParameter: isQuery ? { queryParameterSubSchema: parameter } : { pathParameterSubSchema: parameter },
    },
  };
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
