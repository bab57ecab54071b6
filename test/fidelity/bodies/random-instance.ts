import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import type { Random } from '../../robustness/random.ts';
import { chance, some, times } from '../choices.ts';

const words: readonly string[] = ['x', 'y', 'z'];
const keys: readonly string[] = ['a', 'b', 'c'];

/** Some fields of an object with this schema, and now and then an unknown one. Nothing in it is empty. */
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
export function randomPart(random: Random, schema: JsonObject): JsonValue {
  const { type } = schema;
  if (type === 'string') return schema['nullable'] === true && chance(random, 0.2) ? null : random.pick(words);
  if (type === 'integer') return random.between(1, 3);
  if (type === 'boolean') return chance(random, 0.5);
  return type === 'array' ? randomItems(random, schema) : objectValue(random, schema);
}

function randomItems(random: Random, schema: JsonObject): JsonValue[] {
  const items = objectAt(schema, 'items');
  if (schema['x-kubernetes-list-type'] === 'set') return some(random, words, 1, 3);
  if (schema['x-kubernetes-list-type'] !== 'map') return times(random.between(1, 2), () => randomPart(random, items));
  return some(random, keys, 1, 3).map((name) => ({ ...randomInstance(random, items), name }));
}

function objectValue(random: Random, schema: JsonObject): JsonValue {
  if (schema['properties'] !== undefined) return randomInstance(random, schema);
  const values = schema['additionalProperties'];
  if (values === undefined) return freeObject(random, 0);
  return Object.fromEntries(
    some(random, keys, 1, 2).map((key) => [key, isJsonObject(values) ? randomPart(random, values) : 1]),
  );
}

function freeObject(random: Random, depth: number): JsonObject {
  return Object.fromEntries(some(random, keys, 1, 2).map((key) => [key, freeValue(random, depth + 1)]));
}

/** A value that no schema describes. */
function freeValue(random: Random, depth: number): JsonValue {
  if (depth < 3 && chance(random, 0.6)) return freeObject(random, depth);
  const scalars: (() => JsonValue)[] = [() => random.between(1, 2), () => random.pick(words)];
  const items = (): JsonValue[] => times(random.between(1, 2), () => freeObject(random, depth + 1));
  return random.pick(depth < 3 ? [...scalars, items] : scalars)();
}
