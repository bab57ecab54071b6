import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import type { Random } from '../../robustness/random.ts';
import { chance, some, times } from '../choices.ts';

const words: readonly string[] = ['x', 'y', 'z'];
const keys: readonly string[] = ['a', 'b', 'c'];

/** How often a map or a list has nothing in it. */
const emptyShare = 0.03;

/** Some fields of an object with this schema, and now and then an unknown one. */
export function randomInstance(random: Random, schema: JsonObject): JsonObject {
  const properties = Object.entries(objectAt(schema, 'properties'));
  const chosen = some(random, properties, 1, 4);
  const required = schema['required'] === undefined ? [] : [['name', random.pick(words)] as const];
  const isWhole = schema['x-kubernetes-embedded-resource'] === true;
  const identity = isWhole ? [['apiVersion', 'v1'] as const, ['kind', 'Part'] as const] : [];
  const metadata = isWhole && chance(random, 0.6) ? [['metadata', partMetadata(random)] as const] : [];
  const known = chosen.flatMap(([name, part]) =>
    isJsonObject(part) ? [[name, randomPart(random, part)] as const] : [],
  );
  const keeps = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const unknown = keeps && chance(random, 0.5) ? [[`u${random.between(1, 2)}`, freeValue(random, 0)] as const] : [];
  return Object.fromEntries([...identity, ...metadata, ...known, ...required, ...unknown]);
}

function partMetadata(random: Random): JsonObject {
  const labels = Object.fromEntries(some(random, keys, 1, 2).map((key) => [key, random.pick(words)]));
  return chance(random, 0.5) ? { labels } : { name: random.pick(words), labels };
}

/** A value of a schema. */
function randomPart(random: Random, schema: JsonObject): JsonValue {
  if (schema['nullable'] === true && chance(random, 0.2)) return null;
  const { type } = schema;
  if (type === 'string') return random.pick(words);
  if (type === 'integer') return random.between(1, 3);
  if (type === 'boolean') return chance(random, 0.5);
  if (schema['x-kubernetes-int-or-string'] === true) return random.pick<JsonValue>([1, 2, 'x', '50%']);
  return type === 'array' ? randomItems(random, schema) : objectValue(random, schema);
}

function randomItems(random: Random, schema: JsonObject): JsonValue[] {
  const items = objectAt(schema, 'items');
  const most = chance(random, emptyShare) ? 0 : 3;
  if (schema['x-kubernetes-list-type'] === 'set') return some(random, words, Math.min(1, most), most);
  if (schema['x-kubernetes-list-type'] === 'map')
    return some(random, identitiesOf(schema), Math.min(1, most), most).map((identity) => ({
      ...randomInstance(random, items),
      ...identity,
    }));
  return times(random.between(Math.min(1, most), Math.min(2, most)), () => randomPart(random, items));
}

/** The keys that tell an item of a list from others. */
function identitiesOf(list: JsonObject): readonly JsonObject[] {
  const names = keys.map((name) => ({ name }));
  const isOfZones = Object.hasOwn(objectAt(list, 'items', 'properties'), 'zone');
  return isOfZones ? names.flatMap((name) => words.slice(0, 2).map((zone) => ({ ...name, zone }))) : names;
}

function objectValue(random: Random, schema: JsonObject): JsonValue {
  if (!hasDemands(schema) && chance(random, emptyShare)) return {};
  if (schema['properties'] !== undefined) return randomInstance(random, schema);
  const values = schema['additionalProperties'];
  if (values === undefined) return freeObject(random, 0);
  return Object.fromEntries(
    some(random, keys, 1, 2).map((key) => [key, isJsonObject(values) ? randomPart(random, values) : 1]),
  );
}

/** Whether objects of a schema are invalid without some of their fields. */
function hasDemands(schema: JsonObject): boolean {
  return schema['required'] !== undefined || schema['x-kubernetes-embedded-resource'] === true;
}

function freeObject(random: Random, depth: number): JsonObject {
  if (chance(random, emptyShare)) return {};
  return Object.fromEntries(some(random, keys, 1, 2).map((key) => [key, freeValue(random, depth + 1)]));
}

/** A value that no schema describes. */
function freeValue(random: Random, depth: number): JsonValue {
  if (depth < 3 && chance(random, 0.6)) return freeObject(random, depth);
  const scalars: (() => JsonValue)[] = [() => random.between(1, 2), () => random.pick(words)];
  const items = (): JsonValue[] =>
    times(random.between(chance(random, emptyShare) ? 0 : 1, 2), () => freeObject(random, depth + 1));
  return random.pick(depth < 3 ? [...scalars, items] : scalars)();
}
