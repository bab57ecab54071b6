import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { DocumentSchema, type SchemaSchema } from '../../gen/openapi/v2/openapi_pb.ts';
import type { OpenApiDefinitions, OpenApiSchema } from '../../scheme/open-api-schema.ts';
import type { OpenApiPaths } from './patch-paths.ts';

/** An OpenAPI v2 document. */
export interface OpenApiDocument {
  readonly swagger: '2.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: OpenApiPaths;
  readonly definitions: OpenApiDefinitions;
}

/** Encodes the document as Protobuf. */
export function encodeOpenApi({ swagger, info, paths, definitions }: OpenApiDocument): Buffer {
  const document = create(DocumentSchema, {
    swagger,
    info,
    paths: { path: Object.entries(paths).map(([name, { patch }]) => ({ name, value: { patch: operation(patch) } })) },
    definitions: { additionalProperties: named(definitions) },
  });
  return Buffer.from(toBinary(DocumentSchema, document));
}

function operation({ operationId, consumes, parameters, ...rest }: OpenApiPaths[string]['patch']) {
  return {
    operationId,
    consumes: [...consumes],
    parameters: parameters.map((parameter) => ({
      parameter: { nonBodyParameter: { queryParameterSubSchema: parameter } },
    })),
    vendorExtension: extensionsOf(rest),
  };
}

function extensionsOf(object: object) {
  const extensions = Object.entries(object).filter(([key]) => key.startsWith('x-'));
  return extensions.map(([name, value]) => ({ name, value: { yaml: yamlOf(value) } }));
}

function named(schemas: Readonly<Record<string, OpenApiSchema>>) {
  return Object.entries(schemas).map(([name, value]) => ({ name, value: encoded(value) }));
}

function encoded(schema: OpenApiSchema): MessageInitShape<typeof SchemaSchema> {
  return {
    ref: schema.$ref ?? '',
    format: schema.format ?? '',
    description: schema.description ?? '',
    required: schema.required ?? [],
    ...(schema.type ? { type: { value: [schema.type] } } : {}),
    ...(schema.items ? { items: { schema: [encoded(schema.items)] } } : {}),
    ...(schema.additionalProperties ? { additionalProperties: { schema: encoded(schema.additionalProperties) } } : {}),
    ...(schema.properties ? { properties: { additionalProperties: named(schema.properties) } } : {}),
    vendorExtension: extensionsOf(schema),
  };
}

/** Encodes a value as YAML. JSON is valid YAML, but some clients keep the quotes of a string. */
function yamlOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
