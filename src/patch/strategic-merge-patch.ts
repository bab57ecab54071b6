import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../meta/json-value.ts';
import type { ObjectSchema, PatchStrategy, Schema } from '../scheme/model/schema.ts';
import { shownValue } from '../status/shown-value.ts';
import { checkOrder, mergeListPatch, orderList, orderNewList, removeScalars } from './merge-list-patch.ts';
import { PatchError, wrongType } from './patch-error.ts';
import { checkDepth } from './patch-limits.ts';
import { directiveOf, hasDirective, readDirectives, type ReadPatch, withoutDirective } from './strategic-directives.ts';

/**
 * Applies a strategic merge patch and returns the result. It is a merge patch in which the schema
 * defines which lists are merged and by which key. Directives (`$patch`, `$retainKeys`,
 * `$setElementOrder/<list>`, `$deleteFromPrimitiveList/<list>`) change how objects and lists are
 * merged.
 * A value without an original is taken unchanged, with its nulls and directives, as in
 * kube-apiserver. Decoding then drops them in a struct and keeps them in a map. Fields that are not
 * in the schema are merged like any other; the decoder reports them.
 * The arguments are not changed; the result shares unchanged parts with both. Throws `PatchError`.
 */
export function applyStrategicMergePatch(
  value: JsonObject,
  patch: JsonValue,
  schema: ObjectSchema,
  takes: TakeValue = takeUnchanged,
): JsonObject {
  if (patch === null) return value;
  if (!isJsonObject(patch)) throw wrongType(patch, 'map[string]interface {}');
  checkDepth(patch);
  return mergeObjects(value, patch, schema, takes);
}

/**
 * Makes the value of a field from a patch without an old value; undefined: the field is not set.
 */
type TakeValue = (patch: JsonValue) => JsonValue | undefined;

/** Keeps the directives in a value, as releases before 1.28 do. */
const takeUnchanged: TakeValue = (patch) => patch;

/** Returns the value of a patch without directives in it; undefined if it is a directive itself. */
export function takeWithoutDirectives(patch: JsonValue): JsonValue | undefined {
  if (Array.isArray(patch)) return patch.map(takeWithoutDirectives).filter((item) => item !== undefined);
  if (!isJsonObject(patch)) return patch;
  if (hasDirective(patch)) return undefined;
  const taken: JsonObject = {};
  for (const [key, value] of Object.entries(patch)) {
    const kept = takeWithoutDirectives(value);
    if (kept !== undefined) setOwn(taken, key, kept);
  }
  return taken;
}

/** Merges two objects. `schema` is undefined for parts that the schema does not describe. */
function mergeObjects(
  original: JsonObject,
  patch: JsonObject,
  schema: Schema | undefined,
  takes: TakeValue,
): JsonObject {
  const directive = directiveOf(patch);
  if (directive === 'delete') return {};
  if (directive === 'replace') return withoutDirective(patch);
  const read = readDirectives(patch);
  return mergeFields(read.retainKeys ? retained(original, read.retainKeys) : { ...original }, read, schema, takes);
}

function retained(original: JsonObject, keys: ReadonlySet<JsonValue>): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(original)) if (keys.has(key)) setOwn(kept, key, value);
  return kept;
}

/** Merges fields and lists into `merged`, a new object of the caller, in place. */
function mergeFields(
  merged: JsonObject,
  { fields, lists }: Pick<ReadPatch, 'fields' | 'lists'>,
  schema: Schema | undefined,
  takes: TakeValue,
): JsonObject {
  const replaces = takes === takeUnchanged;
  const whole = new Set<string>();
  // Indexed once, because a patch can have as many lists as fields.
  const sent = new Map(lists.size === 0 ? [] : fields);
  for (const [key, { removed }] of lists) {
    // kube-apiserver takes such a list from the patch or from the directive, at random.
    const isNew = sent.has(key) && !Object.hasOwn(merged, key);
    if (removed !== undefined && !isNew)
      remove(merged, key, removed, { strategy: partOf(schema, key).strategy, replaces });
  }
  for (const [key, value] of fields) {
    if (value === null) {
      delete merged[key];
      continue;
    }
    const part = partOf(schema, key);
    const original = getOwn(merged, key);
    if (lists.has(key) && !isMergedList(original, value, part)) whole.add(key);
    const result = mergeValue(original, value, { ...part, order: lists.get(key)?.order, takes });
    if (result === undefined) delete merged[key];
    else setOwn(merged, key, result);
  }
  for (const [key, { order }] of lists) {
    if (!order) continue;
    checkOrdered(schema, key);
    const { strategy } = partOf(schema, key);
    putInOrder(merged, key, { order, sent: sent.get(key), isWhole: whole.has(key), mergeKey: strategy?.mergeKey });
  }
  return merged;
}

/** Throws `PatchError` `malformed` for an order of a field that the schema does not have. */
function checkOrdered(schema: Schema | undefined, key: string): void {
  if (schema?.type === 'map') throw new PatchError('malformed', 'the entries of a map have no order');
  if (schema?.type !== 'object' || schema.fields.has(key)) return;
  throw new PatchError('malformed', `unable to find api field for the json field ${JSON.stringify(key)}`);
}

interface WantedOrder {
  readonly order: readonly JsonValue[];
  /** The value that the patch sets for the list; undefined if it sets none. */
  readonly sent: JsonValue | undefined;
  /** True if the whole list comes from the patch, without a merge. */
  readonly isWhole: boolean;
  readonly mergeKey: string | undefined;
}

/**
 * Applies `$setElementOrder`. A list in the patch was sorted during its merge, unless there was no
 * list to merge it with. Its order is checked here.
 */
function putInOrder(merged: JsonObject, key: string, { order, sent, isWhole, mergeKey }: WantedOrder): void {
  const list = getOwn(merged, key);
  if (sent !== undefined) {
    checkOrder(asList(sent), order, mergeKey);
    if (isWhole) setOwn(merged, key, [...orderNewList(asList(list ?? null), order, mergeKey)]);
    return;
  }
  if (list !== undefined && list !== null) setOwn(merged, key, orderList(asList(list), order, mergeKey));
}

/**
 * Applies `$deleteFromPrimitiveList` to a list with the merge strategy. In any other field the
 * value of the directive replaces the field before release 1.28, as in kube-apiserver.
 */
function remove(
  merged: JsonObject,
  key: string,
  removed: JsonValue,
  { strategy, replaces }: { readonly strategy: PatchStrategy | undefined; readonly replaces: boolean },
): void {
  const list = getOwn(merged, key);
  if (removed === null) delete merged[key];
  else if ((strategy?.merge || !replaces) && Array.isArray(list) && Array.isArray(removed)) {
    setOwn(merged, key, removeScalars(list, removed));
  } else if (replaces) setOwn(merged, key, removed);
}

/** The schema and the patch strategy of one field of an object. */
interface FieldSchema {
  readonly schema: Schema | undefined;
  readonly strategy: PatchStrategy | undefined;
}

function partOf(schema: Schema | undefined, key: string): FieldSchema {
  if (schema?.type === 'map') return { schema: schema.values, strategy: undefined };
  const field = schema?.type === 'object' ? schema.fields.get(key) : undefined;
  return { schema: field?.schema, strategy: field?.patch };
}

/** The options of the merge of a value. */
interface ValueMerge extends FieldSchema {
  readonly order: readonly JsonValue[] | undefined;
  readonly takes: TakeValue;
}

function isMergedList(original: JsonValue | undefined, patch: JsonValue, { strategy }: FieldSchema): boolean {
  return Array.isArray(patch) && Array.isArray(original) && strategy?.merge === true;
}

function mergeValue(
  original: JsonValue | undefined,
  patch: JsonValue,
  { schema, strategy, order, takes }: ValueMerge,
): JsonValue | undefined {
  if (isJsonObject(patch)) {
    if (!isJsonObject(original)) return takes(patch);
    return strategy?.replace ? patch : mergeObjects(original, patch, schema, takes);
  }
  if (!Array.isArray(patch) || !Array.isArray(original)) return takes(patch);
  if (!strategy?.merge) return patch;
  const itemSchema = schema?.type === 'list' ? schema.items : undefined;
  return mergeListPatch(original, patch, {
    mergeKey: strategy.mergeKey,
    order,
    mergeItems: (item, change) => mergeObjects(item, change, itemSchema, takes),
  });
}

function asList(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  throw new PatchError('malformed', `expected a list, but received ${shownValue(value)}`);
}
