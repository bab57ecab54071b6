import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import type { Field, MapSchema, ObjectSchema, Schema } from '../schema.ts';
import type { StructuralSchema } from './structural-schema.ts';

const anyValue: Schema = Object.freeze({ type: 'any' });

/**
 * The schema of a custom kind in the schema model. `name` is `<group>.<version>.<kind>`, `metadata`
 * the schema of any object's metadata.
 */
export function customKindSchema(name: string, structural: StructuralSchema, metadata: Schema): ObjectSchema {
  const fields = new Map<string, Field>([['metadata', fieldOf('metadata', metadata)]]);
  for (const [field, part] of structural.properties) {
    if (!isIdentity(field)) fields.set(field, fieldOf(field, modelOf(part), part.default));
  }
  return { type: 'object', name, fields, atomic: false, preserveUnknown: structural.preserveUnknown, structural };
}

/**
 * A custom kind as OpenAPI describes it. `declared` reads its schema when it is used: a description
 * of all kinds needs each schema once, and keeps none.
 */
export function declaredKindSchema(name: string, declared: () => JsonObject, metadata: Schema): ObjectSchema {
  const fields = new Map([['metadata', fieldOf('metadata', metadata)]]);
  return { type: 'object', name, fields, atomic: false, preserveUnknown: false, declared };
}

function isIdentity(name: string): boolean {
  return name === 'apiVersion' || name === 'kind' || name === 'metadata';
}

/** Objects that no schema describes: each key may have another owner (spec 4.8). */
export const undescribed: MapSchema = {
  type: 'map',
  get values() {
    return undescribed;
  },
  atomic: false,
  undescribed: true,
};

/** The fields of every whole object inside another one. */
const identityOfObjects = [
  ['apiVersion', fieldOf('apiVersion', anyValue)],
  ['kind', fieldOf('kind', anyValue)],
  ['metadata', fieldOf('metadata', undescribed)],
] as const;

/** The model of a part, which tells who may own which of its values. */
function modelOf(schema: StructuralSchema): Schema {
  if (schema.items) return listOf(schema, schema.items);
  if (schema.properties.size > 0) return objectOf(schema);
  if (schema.additional !== undefined) {
    return mapOf(schema.additional === true ? anyValue : modelOf(schema.additional), schema.atomicMap);
  }
  if (schema.type === 'object') return mapOf(anyValue, schema.atomicMap);
  return schema.type === '' && schema.preserveUnknown ? undescribed : anyValue;
}

function listOf({ listType, mapKeys }: StructuralSchema, items: StructuralSchema): Schema {
  return { type: 'list', items: modelOf(items), listType, mapKeys };
}

function mapOf(values: Schema, atomic: boolean): MapSchema {
  return { type: 'map', values, atomic, undescribed: true };
}

function objectOf(schema: StructuralSchema): ObjectSchema {
  const { properties, atomicMap, preserveUnknown, embedded } = schema;
  const own = [...properties].map(([name, part]) => [name, fieldOf(name, modelOf(part), part.default)] as const);
  const fields = new Map([...(embedded ? identityOfObjects : []), ...own]);
  return { type: 'object', name: '', fields, atomic: atomicMap, preserveUnknown, structural: schema };
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
