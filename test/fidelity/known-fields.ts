import type { Field, ObjectSchema, Schema } from '../../src/scheme/model/schema.ts';

/** The parts of an OpenAPI 2 document that say which fields a server knows. */
export interface OpenApi {
  readonly definitions?: Readonly<Record<string, Definition>>;
}

/** A definition, or the schema of one of its fields. */
export interface Definition {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Definition>>;
  readonly items?: Definition;
  readonly additionalProperties?: Definition;
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
}

/**
 * The schema of a kind without the fields that a server does not know. A server that publishes no fields of the kind is
 * taken to know all.
 */
export function withKnownFields(
  schema: ObjectSchema,
  { definitions = {} }: OpenApi,
  kind: { readonly group: string; readonly version: string; readonly kind: string },
): ObjectSchema {
  const definition = Object.values(definitions).find((each) =>
    each['x-kubernetes-group-version-kind']?.some(
      (of) => of.group === kind.group && of.version === kind.version && of.kind === kind.kind,
    ),
  );
  return limitedObject(schema, definition, definitions);
}

type Definitions = Readonly<Record<string, Definition>>;

function limitedObject(schema: ObjectSchema, given: Definition | undefined, definitions: Definitions): ObjectSchema {
  const { properties } = resolved(given, definitions) ?? {};
  if (!properties) return schema;
  let fields: ReadonlyMap<string, Field> | undefined;
  // Messages recurse, so the fields are limited when they are first read.
  return {
    type: 'object',
    name: schema.name,
    atomic: schema.atomic,
    preserveUnknown: schema.preserveUnknown,
    get fields() {
      const known = [...schema.fields].filter(([name]) => Object.hasOwn(properties, name));
      fields ??= new Map(known.map(([name, field]) => [name, limitedField(field, properties[name], definitions)]));
      return fields;
    },
  };
}

function limitedField(field: Field, definition: Definition | undefined, definitions: Definitions): Field {
  return { ...field, schema: limited(field.schema, definition, definitions) };
}

function limited(schema: Schema, given: Definition | undefined, definitions: Definitions): Schema {
  if (schema.type === 'object') return limitedObject(schema, given, definitions);
  const definition = resolved(given, definitions);
  if (schema.type === 'list') return { ...schema, items: limited(schema.items, definition?.items, definitions) };
  if (schema.type === 'map') {
    return { ...schema, values: limited(schema.values, definition?.additionalProperties, definitions) };
  }
  return schema;
}

function resolved(definition: Definition | undefined, definitions: Definitions): Definition | undefined {
  return definition?.$ref ? definitions[definition.$ref.replace('#/definitions/', '')] : definition;
}
