import type { Identifiers } from '../identifiers/identifiers.ts';
import { memoize } from '../meta/memoize.ts';
import type { ListSchema, ObjectSchema, PatchStrategy, ScalarType, Schema } from './schema.ts';

/**
 * The part of an OpenAPI v2 (Swagger 2.0) schema that kinds use. Keys starting with `x-` are
 * extensions.
 */
export interface OpenApiSchema {
  $ref?: string;
  description?: string;
  type?: string;
  format?: string;
  required?: string[];
  properties?: Record<string, OpenApiSchema>;
  additionalProperties?: OpenApiSchema;
  items?: OpenApiSchema;
  [extension: `x-${string}`]: unknown;
}

/** Schemas by the name in `$ref`: the full name of the message in proto/. */
export type OpenApiDefinitions = Record<string, OpenApiSchema>;

/** The OpenAPI types of scalars. A schema without type allows any value. */
const scalars: Readonly<Record<ScalarType, OpenApiSchema>> = {
  string: { type: 'string' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  uint32: { type: 'integer', format: 'int64' },
  uint64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bool: { type: 'boolean' },
  bytes: { type: 'string', format: 'byte' },
  time: { type: 'string', format: 'date-time' },
  microTime: { type: 'string', format: 'date-time' },
  duration: { type: 'string' },
  quantity: { type: 'string' },
  intOrString: { type: 'string', format: 'int-or-string' },
  any: {},
  fieldsV1: { type: 'object' },
};

const typeFields: Readonly<Record<string, OpenApiSchema>> = {
  apiVersion: { type: 'string', description: 'Group and version of the schema of this object.' },
  kind: { type: 'string', description: 'What the object is.' },
};

/** A kind in a version with its schema. */
export interface PublishedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: ObjectSchema;
}

/**
 * Returns the OpenAPI schemas of some kinds and of all messages below them. Schemas are made once
 * and reused by later calls.
 */
export function openApiDefinitions(kinds: Iterable<PublishedKind>, identifiers: Identifiers): OpenApiDefinitions {
  const publish = publisherOf(identifiers);
  const definitions: OpenApiDefinitions = {};
  const define = (schema: ObjectSchema): void => {
    if (definitions[schema.name]) return;
    const { definition, parts } = publish(schema);
    definitions[schema.name] = definition;
    for (const part of parts) define(part);
  };
  const kindExtension = `${extension(identifiers.schemaExtensionPrefix)}group-version-kind` as const;
  for (const { schema, ...kind } of kinds) {
    define(schema);
    const definition = definitions[schema.name];
    const properties = { ...typeFields, ...definition?.properties };
    definitions[schema.name] = { ...definition, properties, [kindExtension]: [kind] };
  }
  return definitions;
}

/** The OpenAPI schema of a message, and the messages that it refers to. */
interface PublishedMessage {
  readonly definition: OpenApiSchema;
  readonly parts: readonly ObjectSchema[];
}

const publisherOf = memoize(({ schemaExtensionPrefix: prefix }: Identifiers) =>
  memoize((schema: ObjectSchema) => publishedMessage(schema, prefix)),
);

/** The extension prefix with a type for the keys. */
function extension(prefix: string): `x-${string}` {
  return `x-${prefix.slice(2)}`;
}

function publishedMessage(schema: ObjectSchema, prefix: string): PublishedMessage {
  const definition: OpenApiSchema = { type: 'object' };
  const parts: ObjectSchema[] = [];
  const properties: Record<string, OpenApiSchema> = {};
  const required: string[] = [];
  for (const field of schema.fields.values()) {
    properties[field.name] = {
      ...(field.description ? { description: field.description } : {}),
      ...published(parts, field.schema, prefix),
      ...patchExtensions(field.patch, prefix),
    };
    if (field.required) required.push(field.name);
  }
  if (schema.fields.size > 0) definition.properties = properties;
  if (required.length > 0) definition.required = required;
  if (schema.atomic) definition[`${extension(prefix)}map-type`] = 'atomic';
  return { definition, parts };
}

function published(parts: ObjectSchema[], schema: Schema, prefix: string): OpenApiSchema {
  if (schema.type === 'object') {
    parts.push(schema);
    return { $ref: `#/definitions/${schema.name}` };
  }
  if (schema.type === 'list') {
    return { type: 'array', items: published(parts, schema.items, prefix), ...listExtensions(schema, prefix) };
  }
  if (schema.type === 'map') {
    const atomic = schema.atomic ? { [`${extension(prefix)}map-type`]: 'atomic' } : {};
    return { type: 'object', additionalProperties: published(parts, schema.values, prefix), ...atomic };
  }
  return scalars[schema.type];
}

function listExtensions({ listType, mapKeys }: ListSchema, prefix: string): OpenApiSchema {
  return {
    [`${extension(prefix)}list-type`]: listType,
    ...(mapKeys.length > 0 ? { [`${extension(prefix)}list-map-keys`]: mapKeys } : {}),
  };
}

function patchExtensions(patch: PatchStrategy | undefined, prefix: string): OpenApiSchema {
  if (!patch) return {};
  const strategies = [...(patch.merge ? ['merge'] : []), ...(patch.retainKeys ? ['retainKeys'] : [])];
  return {
    ...(strategies.length > 0 ? { [`${extension(prefix)}patch-strategy`]: strategies.join(',') } : {}),
    ...(patch.mergeKey ? { [`${extension(prefix)}patch-merge-key`]: patch.mergeKey } : {}),
  };
}
