import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import { stringAt } from '../../meta/read-field.ts';
import type { Field, MapSchema, ObjectSchema, Schema } from '../model/schema.ts';
import type { StructuralSchema } from '../model/structural-schema.ts';

const anyValue: Schema = Object.freeze({ type: 'any' });

/**
 * The schema of a custom kind in the schema model. `name` is `<group>.<version>.<kind>`, `metadata`
 * the schema of any object's metadata.
 */
export function customKindSchema(name: string, structural: StructuralSchema, metadata: ObjectSchema): ObjectSchema {
  const { preserveUnknown } = structural;
  const inside = { keepsUnknown: preserveUnknown, identity: identityOfObjects(metadata) };
  const fields = new Map<string, Field>([['metadata', fieldOf('metadata', metadata)]]);
  for (const [field, part] of structural.properties) {
    if (!isIdentity(field)) fields.set(field, fieldOf(field, modelOf(part, inside), part.default));
  }
  return { type: 'object', name, fields, atomic: false, preserveUnknown, structural };
}

/**
 * A custom kind as OpenAPI describes it. `declared` reads its schema when it is used: a description
 * of all kinds needs each schema once, and keeps none. `preserveUnknown` comes from the definition.
 */
export function declaredKindSchema(
  name: string,
  { declared, preserveUnknown }: { readonly declared: () => JsonObject; readonly preserveUnknown: boolean },
  metadata: Schema,
): ObjectSchema {
  const fields = new Map([['metadata', fieldOf('metadata', metadata)]]);
  return { type: 'object', name, fields, atomic: false, preserveUnknown, declared };
}

function isIdentity(name: string): boolean {
  return name === 'apiVersion' || name === 'kind' || name === 'metadata';
}

/**
 * The type of a value that no schema describes: in an object each key may have another owner, at
 * every depth; a list or a scalar has one owner (spec 4.8).
 */
export const undescribed: MapSchema = {
  type: 'map',
  get values() {
    return undescribed;
  },
  atomic: false,
  undescribed: true,
};

/** The parts of a kind have these in common. */
interface KindContext {
  /** True below a schema that keeps unknown fields: an apply may set them here too. */
  readonly keepsUnknown: boolean;
  /** The fields of every whole object inside another one. */
  readonly identity: readonly Field[];
}

function identityOfObjects(metadata: ObjectSchema): readonly Field[] {
  const fields = [...metadata.fields].map(([name, field]) => [name, { ...field, alwaysPresent: false }] as const);
  return [
    fieldOf('apiVersion', anyValue),
    fieldOf('kind', anyValue),
    fieldOf('metadata', { ...metadata, fields: new Map(fields) }),
  ];
}

/** The model of a part, which tells who may own which of its values. */
function modelOf(schema: StructuralSchema, inside: KindContext): Schema {
  const { type, items, properties, additional, embedded, atomicMap } = schema;
  if (type === 'array' && items) return listOf(schema, modelOf(items, inside));
  if (properties.size > 0 || embedded) return objectOf(schema, inside);
  if (type === 'object') {
    return mapOf(
      additional === undefined || additional === true ? undescribed : modelOf(additional, inside),
      atomicMap,
    );
  }
  return type === '' ? undescribed : scalarOf(schema);
}

/** The scalar types that an apply checks first. */
const scalars: Readonly<Record<string, Schema>> = {
  string: { type: 'string' },
  boolean: { type: 'bool' },
  integer: { type: 'int64' },
  number: { type: 'int64' },
};

/** The formats of strings that decode to plain strings. */
const textFormats: ReadonlySet<string> = new Set(['', 'byte']);

function scalarOf({ type, source }: StructuralSchema): Schema {
  if (type === 'string' && !textFormats.has(stringAt(source, 'format'))) return anyValue;
  return scalars[type] ?? anyValue;
}

function listOf({ listType, mapKeys }: StructuralSchema, items: Schema): Schema {
  return { type: 'list', items, listType, mapKeys };
}

function mapOf(values: Schema, atomic: boolean): MapSchema {
  return { type: 'map', values, atomic, undescribed: true };
}

function objectOf(schema: StructuralSchema, inside: KindContext): ObjectSchema {
  const { properties, atomicMap, embedded } = schema;
  const keepsUnknown = inside.keepsUnknown || schema.preserveUnknown;
  const below = { ...inside, keepsUnknown };
  const own = [...properties].map(([name, part]) => fieldOf(name, modelOf(part, below), part.default));
  // The type and the metadata of a whole object are the same, whatever its schema says of them.
  const fields = new Map([...own, ...(embedded ? inside.identity : [])].map((field) => [field.name, field]));
  return { type: 'object', name: '', fields, atomic: atomicMap, preserveUnknown: keepsUnknown, structural: schema };
}

/**
 * Fields of custom kinds keep every value that they are given. A default counts where a list's key
 * is missing.
 */
function fieldOf(name: string, schema: Schema, otherwise?: JsonValue): Field {
  return {
    name,
    number: 0,
    inlinePath: [],
    schema,
    required: false,
    alwaysPresent: false,
    explicit: true,
    keepsEmpty: true,
    ...(otherwise === undefined ? {} : { default: otherwise }),
    patch: { merge: false, retainKeys: false },
  };
}
