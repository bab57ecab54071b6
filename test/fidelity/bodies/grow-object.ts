import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import type { Field, ObjectSchema, Schema } from '../../../src/scheme/model/schema.ts';
import type { Random } from '../../robustness/random.ts';
import { chance } from '../choices.ts';
import { type JsonPath, valueAt, withValueAt } from '../json-paths.ts';
import { isForbidden } from './forbidden-fields.ts';
import { randomValue } from './random-value.ts';

/** Sets one more field somewhere in an object: a walk along its schema through what is there already. */
export function growObject(random: Random, schema: ObjectSchema, object: JsonObject, density: number): JsonObject {
  const top = fieldsOf(schema).filter(({ name }) => !topLevel.has(name));
  const position = walk(random, top, [], object);
  if (!position) return object;
  const value = randomValue(random, position.schema, position.name, density, position.path.length);
  // The root of the path is an object.
  return withValueAt(object, position.path, value) as JsonObject;
}

const topLevel: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

interface GrowthPosition {
  readonly path: JsonPath;
  readonly schema: Schema;
  readonly name: string;
}

/** How often a walk goes on into a value that exists, instead of replacing it. */
const deeperShare = 0.8;

function walk(
  random: Random,
  fields: readonly Field[],
  path: JsonPath,
  object: JsonObject,
): GrowthPosition | undefined {
  if (fields.length === 0) return undefined;
  const { name, schema } = random.pick(fields);
  return descend(random, { path: [...path, name], schema, name }, object);
}

function descend(random: Random, position: GrowthPosition, object: JsonObject): GrowthPosition | undefined {
  const { path, schema, name } = position;
  const present = valueAt(object, path);
  if (present === undefined || !chance(random, deeperShare)) return position;
  if (schema.type === 'object' && isJsonObject(present)) {
    return walk(random, fieldsOf(schema), path, object) ?? position;
  }
  if (schema.type === 'list' && Array.isArray(present)) {
    const index = random.between(0, present.length);
    return descend(random, { path: [...path, index], schema: schema.items, name }, object);
  }
  return mapEntry(random, position, present) ?? position;
}

function mapEntry(
  random: Random,
  { path, schema, name }: GrowthPosition,
  present: JsonValue,
): GrowthPosition | undefined {
  if (schema.type !== 'map' || !isJsonObject(present)) return undefined;
  const keys = Object.keys(present);
  return keys.length === 0 ? undefined : { path: [...path, random.pick(keys)], schema: schema.values, name };
}

function fieldsOf(schema: ObjectSchema): readonly Field[] {
  return [...schema.fields.values()].filter(({ name }) => !isForbidden(schema, name));
}
