import type { Identifiers } from '../identifiers/identifiers.ts';
import type { Catalogue } from './catalogue.ts';
import type { ListSchema, ObjectSchema, PatchStrategy, ScalarType, Schema } from './schema.ts';
import { schemaOf } from './schema-of.ts';

/** A schema of OpenAPI v2 (Swagger 2.0), as far as kinds need it. Keys that begin with `x-` are extensions. */
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

/** Schemas by the name that `$ref` uses: the full names of the messages in proto/. */
export type OpenApiDefinitions = Record<string, OpenApiSchema>;

/** How scalars are published. A value without a type may be anything. */
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

/** The schema of every kind that the catalogue serves, in every version, and of all that they are made of. */
export function openApiDefinitions(catalogue: Catalogue, identifiers: Identifiers): OpenApiDefinitions {
  const prefix = identifiers.schemaExtensionPrefix;
  const definitions: OpenApiDefinitions = {};
  for (const { group, kind, versions } of catalogue.resources) {
    for (const { message, version } of versions) {
      const schema = schemaOf(message);
      define(definitions, schema, prefix);
      const definition = definitions[schema.name] ?? {};
      definition.properties = { ...typeFields, ...definition.properties };
      definition[`${extension(prefix)}group-version-kind`] = [{ group, kind, version }];
    }
  }
  return definitions;
}

/** The prefix as the type of a key that begins with it. */
function extension(prefix: string): `x-${string}` {
  return `x-${prefix.slice(2)}`;
}

function define(definitions: OpenApiDefinitions, schema: ObjectSchema, prefix: string): void {
  if (definitions[schema.name]) return;
  const definition: OpenApiSchema = { type: 'object' };
  // Before its fields, for messages recurse.
  definitions[schema.name] = definition;
  const properties: Record<string, OpenApiSchema> = {};
  const required: string[] = [];
  for (const field of schema.fields.values()) {
    properties[field.name] = {
      ...(field.description ? { description: field.description } : {}),
      ...published(definitions, field.schema, prefix),
      ...patchExtensions(field.patch, prefix),
    };
    if (field.required) required.push(field.name);
  }
  if (schema.fields.size > 0) definition.properties = properties;
  if (required.length > 0) definition.required = required;
  if (schema.atomic) definition[`${extension(prefix)}map-type`] = 'atomic';
}

function published(definitions: OpenApiDefinitions, schema: Schema, prefix: string): OpenApiSchema {
  if (schema.type === 'object') {
    define(definitions, schema, prefix);
    return { $ref: `#/definitions/${schema.name}` };
  }
  if (schema.type === 'list') {
    return { type: 'array', items: published(definitions, schema.items, prefix), ...listExtensions(schema, prefix) };
  }
  if (schema.type === 'map') {
    const atomic = schema.atomic ? { [`${extension(prefix)}map-type`]: 'atomic' } : {};
    return { type: 'object', additionalProperties: published(definitions, schema.values, prefix), ...atomic };
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
