import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../../src/meta/json-value.ts';
import type { Field, ObjectSchema, Schema } from '../../../src/scheme/model/schema.ts';
import type { Random } from '../../robustness/random.ts';
import { chance, shuffled, some } from '../choices.ts';

/** Puts directives of strategic merge patch into a partial object, mostly where its schema has a use for them. */
export function withDirectives(random: Random, schema: ObjectSchema, object: JsonObject, depth = 0): JsonObject {
  const result: JsonObject = {};
  for (const [name, value] of Object.entries(object)) {
    const field = schema.fields.get(name);
    setOwn(result, name, depth > 0 && chance(random, 0.05) ? null : directedValue(random, field?.schema, value, depth));
    if (field && Array.isArray(value)) addListDirectives(random, field, value, result);
  }
  if (chance(random, 0.03)) result['$patch'] = random.pick(['replace', 'delete', 'merge', 'unknown']);
  if (chance(random, 0.05)) result['$retainKeys'] = chance(random, 0.85) ? Object.keys(object) : [];
  return result;
}

function directedValue(random: Random, schema: Schema | undefined, value: JsonValue, depth: number): JsonValue {
  if (schema?.type === 'object' && isJsonObject(value)) return withDirectives(random, schema, value, depth + 1);
  if (schema?.type !== 'list' || !Array.isArray(value)) return value;
  return directedItems(
    random,
    value.map((item) => directedValue(random, schema.items, item, depth + 1)),
    schema.mapKeys,
  );
}

function directedItems(random: Random, items: JsonValue[], mapKeys: readonly string[]): JsonValue[] {
  const [first] = items;
  const [key] = mapKeys;
  if (!isJsonObject(first) || key === undefined) return items;
  const added = [...items];
  if (chance(random, 0.25)) {
    added.push({ $patch: 'delete', [key]: random.pick([first[key] ?? 'c', 'c', 'a', 80]) });
  }
  if (chance(random, 0.05)) added.unshift({ $patch: 'replace' });
  if (chance(random, 0.03)) added.push({ $patch: random.pick(['delete', 'merge', 'unknown']) });
  return chance(random, 0.3) ? shuffled(random, added) : added;
}

/** Adds an order of the items, or texts to be removed, beside the list or in its place. */
function addListDirectives(random: Random, field: Field, list: readonly JsonValue[], result: JsonObject): void {
  const key = field.patch?.mergeKey;
  const isOfTexts = list.length > 0 && list.every((item) => typeof item === 'string');
  if (isOfTexts && chance(random, 0.25)) {
    result[`$deleteFromPrimitiveList/${field.name}`] = some(random, [...list, 'zz'], 1);
    if (chance(random, 0.5)) delete result[field.name];
  }
  if (!chance(random, 0.2)) return;
  if (isOfTexts) result[`$setElementOrder/${field.name}`] = shuffled(random, list);
  else if (key !== undefined) result[`$setElementOrder/${field.name}`] = orderOf(random, list, key);
}

function orderOf(random: Random, list: readonly JsonValue[], key: string): JsonValue[] {
  const named = list.map((item) => (isJsonObject(item) ? item[key] : undefined));
  const present = named.filter((value): value is JsonValue => value !== undefined);
  const others: readonly JsonValue[] = typeof present[0] === 'string' ? ['c', 'a'] : [];
  return shuffled(random, [...new Set([...present, ...some(random, others, 0)])]).map((value) => ({ [key]: value }));
}
