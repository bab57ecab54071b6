import { goText } from '../meta/go-text.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../meta/json-value.ts';
import type { ObjectSchema, PatchStrategy, Schema } from '../scheme/schema.ts';
import { mergeLists, orderList, removeScalars } from './merge-lists.ts';
import { PatchError, wrongType } from './patch-error.ts';
import { checkDepth } from './patch-limits.ts';
import { type ListDirectives, readDirectives } from './strategic-directives.ts';

/**
 * Applies a strategic merge patch and returns the result: a merge patch in which the schema says which lists are merged, and
 * by which key, and in which directives (`$patch`, `$retainKeys`, `$setElementOrder/<list>`, `$deleteFromPrimitiveList/<list>`)
 * say what else is to be done. Neither argument is changed; the result shares what did not change with both. Fields that the
 * schema does not know are merged like any other, for the decoder to report. Throws `PatchError` `malformed`.
 */
export function applyStrategicMergePatch(value: JsonObject, patch: JsonValue, schema: ObjectSchema): JsonObject {
  if (!isJsonObject(patch)) throw wrongType(patch, 'map[string]interface {}');
  checkDepth(patch);
  return mergeObjects(value, patch, schema);
}

/** Merges two objects of a schema; a schema is undefined where nothing is known. */
export function mergeObjects(original: JsonObject, patch: JsonObject, schema: Schema | undefined): JsonObject {
  const { directive, retainKeys, lists, fields } = readDirectives(patch);
  if (directive === 'delete') return {};
  if (directive === 'replace') return mergeFields({}, fields, lists, schema);
  return mergeFields(retainKeys ? retained(original, retainKeys) : { ...original }, fields, lists, schema);
}

function retained(original: JsonObject, keys: ReadonlySet<JsonValue>): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(original)) if (keys.has(key)) setOwn(kept, key, value);
  return kept;
}

/** Merges into `merged`, which is the caller's own. */
function mergeFields(
  merged: JsonObject,
  fields: readonly (readonly [string, JsonValue])[],
  lists: ReadonlyMap<string, ListDirectives>,
  schema: Schema | undefined,
): JsonObject {
  // A patch can have as many lists as fields.
  const sent = new Set(lists.size === 0 ? [] : fields.map(([key]) => key));
  for (const [key, { removed }] of lists) if (removed) remove(merged, key, removed);
  for (const [key, value] of fields) {
    if (value === null) delete merged[key];
    else setOwn(merged, key, mergeValue(getOwn(merged, key), value, partOf(schema, key), lists.get(key)?.order));
  }
  for (const [key, { order }] of lists) {
    const list = getOwn(merged, key);
    if (order && !sent.has(key) && list !== undefined && list !== null) {
      setOwn(merged, key, orderList(asList(list), order, partOf(schema, key).strategy?.mergeKey));
    }
  }
  return merged;
}

function remove(merged: JsonObject, key: string, removed: readonly JsonValue[]): void {
  const list = getOwn(merged, key);
  if (Array.isArray(list)) setOwn(merged, key, removeScalars(list, removed));
}

/** What is known of a part of an object: its schema, and how it is merged. */
interface Part {
  readonly schema: Schema | undefined;
  readonly strategy: PatchStrategy | undefined;
}

function partOf(schema: Schema | undefined, key: string): Part {
  if (schema?.type === 'map') return { schema: schema.values, strategy: undefined };
  const field = schema?.type === 'object' ? schema.fields.get(key) : undefined;
  return { schema: field?.schema, strategy: field?.patch };
}

function mergeValue(
  original: JsonValue | undefined,
  patch: JsonValue,
  { schema, strategy }: Part,
  order: readonly JsonValue[] | undefined,
): JsonValue {
  if (isJsonObject(patch)) {
    // Arbitrary JSON has no directives when it is new, but merges like every object when it is not.
    if (schema?.type === 'any' && !isJsonObject(original)) return patch;
    return mergeObjects(isJsonObject(original) ? original : {}, patch, schema);
  }
  if (!Array.isArray(patch) || !strategy?.merge) return patch;
  return mergeLists(Array.isArray(original) ? original : [], patch, {
    mergeKey: strategy.mergeKey,
    order,
    mergeItems: (item, change) => mergeObjects(item, change, schema?.type === 'list' ? schema.items : undefined),
  });
}

function asList(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  throw new PatchError('malformed', `expected a list, but received ${goText(value)}`);
}
