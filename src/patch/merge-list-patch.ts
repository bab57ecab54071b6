import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { shownValue } from '../status/shown-value.ts';
import { PatchError } from './patch-error.ts';
import { directiveOf, hasDirective, withoutDirective } from './strategic-directives.ts';

/** Describes how a list is merged. */
interface ListMerge {
  /** The field that identifies an item; undefined for lists of scalars. */
  readonly mergeKey: string | undefined;
  /** The value of `$setElementOrder`; undefined if the patch does not set an order. */
  readonly order: readonly JsonValue[] | undefined;
  mergeItems(original: JsonObject, patch: JsonObject): JsonObject;
}

/**
 * Merges a list of a strategic merge patch into the original list. Items of the patch are in the
 * order of the patch, or of `$setElementOrder`. The other items stay before the items that followed
 * them. Throws `PatchError`.
 */
export function mergeListPatch(
  original: readonly JsonValue[],
  patch: readonly JsonValue[],
  merge: ListMerge,
): JsonValue[] {
  if (original.length === 0 && patch.length === 0) return [];
  const { mergeKey, order } = merge;
  if (!areObjects(original, [...patch, ...(order ?? [])])) {
    return arranged([...new Set([...original, ...patch])], original, order ?? patch, undefined);
  }
  if (mergeKey === undefined) fail(noMergeKey);
  const special = withoutSpecialItems(objectsOf(original), objectsOf(patch), mergeKey);
  // After a `replace` directive no original items are left. Items of the patch are not merged with
  // each other then: they may share a key, as the addresses of a node do.
  const merged = special.replaces ? special.patch : mergeItems(special.original, special.patch, mergeKey, merge);
  checkKeys([...(special.replaces ? merged : []), ...(order ?? [])], mergeKey);
  if (!order) return arranged(merged, special.original, special.patch, mergeKey);
  // kube-apiserver merges in place: items that the patch adds take the places of deleted items.
  return arranged(merged, special.replaces ? original : merged.slice(0, original.length), order, mergeKey);
}

/**
 * Checks that `$setElementOrder` names all items of the patch, in the order of the patch. Items
 * with a directive need not be named, except a `merge` or `replace` after the last one that is; an
 * empty order is not checked; both as in kube-apiserver. Throws `PatchError` `malformed`.
 */
export function checkOrder(
  patch: readonly JsonValue[],
  order: readonly JsonValue[],
  mergeKey: string | undefined,
): void {
  if (order.length === 0) return;
  const sent = areObjects(patch, order) ? keyedItems(patch, mergeKey) : patch;
  let next = 0;
  for (const named of order) {
    while (isDirective(sent[next] ?? null)) next++;
    if (next < sent.length && identity(sent[next], mergeKey) === identity(named, mergeKey)) next++;
  }
  if (next === sent.length) return;
  fail(`The order in patch list:\n${shownValue(sent)}\n doesn't match $setElementOrder list:\n${shownValue(order)}\n`);
}

function keyedItems(patch: readonly JsonValue[], mergeKey: string | undefined): readonly JsonObject[] {
  if (mergeKey === undefined) fail(noMergeKey);
  const items = objectsOf(patch).filter((item) => item['$patch'] !== 'delete');
  for (const item of items) if (!hasDirective(item)) keyOf(item, mergeKey);
  return items;
}

/**
 * Sorts a list by `$setElementOrder`. Items that the order does not name stay before the items that
 * followed them. Throws `PatchError`.
 */
export function orderList(
  list: readonly JsonValue[],
  order: readonly JsonValue[],
  mergeKey: string | undefined,
): JsonValue[] {
  if (areObjects(list, order) && mergeKey !== undefined) checkKeys(order, mergeKey);
  return arranged(list, list, order, mergeKey);
}

/**
 * Sorts a list that did not exist before the patch by `$setElementOrder`: the items that the order
 * does not name come last, and those that are directives after them. Throws `PatchError` for items
 * without a key.
 */
export function orderNewList(
  list: readonly JsonValue[],
  order: readonly JsonValue[],
  mergeKey: string | undefined,
): readonly JsonValue[] {
  if (mergeKey === undefined || !areObjects(list, order)) return list;
  checkKeys([...list, ...order], mergeKey);
  const plain = list.filter((item) => !isDirective(item));
  return [...arranged(plain, [], order, mergeKey), ...list.filter(isDirective)];
}

function isDirective(item: JsonValue): boolean {
  return isJsonObject(item) && hasDirective(item);
}

/** Returns the list without the given scalars. Throws `PatchError`. */
export function removeScalars(list: readonly JsonValue[], removed: readonly JsonValue[]): JsonValue[] {
  areObjects(list, removed);
  const gone = new Set(removed);
  return list.filter((item) => !gone.has(item));
}

const noMergeKey = 'cannot merge lists without merge key';

function fail(message: string): never {
  throw new PatchError('malformed', message);
}

/**
 * True if the items are objects, false if they are scalars. Throws `PatchError` for items of
 * different types and for lists of lists.
 */
function areObjects(original: readonly JsonValue[], patch: readonly JsonValue[]): boolean {
  const [type, ...others] = new Set([...original, ...patch].map(typeOf));
  if (others.length > 0) fail(`list element types are not identical: ${shownValue([original, patch])}`);
  if (type === 'list') throw new PatchError('failed', 'lists of lists are not supported');
  return type === 'object';
}

/** The type of a parsed value in Go, which tells integers from other numbers. */
function typeOf(item: JsonValue): string {
  if (item === null) return 'null';
  if (Array.isArray(item)) return 'list';
  return typeof item === 'bigint' || Number.isInteger(item) ? 'integer' : typeof item;
}

function objectsOf(items: readonly JsonValue[]): readonly JsonObject[] {
  return items.filter(isJsonObject);
}

/**
 * Applies the directives in the items of a patch: drops deleted items from the original, and all of
 * them for `replace`. The returned patch has no items that are directives.
 */
function withoutSpecialItems(original: readonly JsonObject[], patch: readonly JsonObject[], mergeKey: string) {
  const plain: JsonObject[] = [];
  const deleted = new Set<JsonValue>();
  let replaces = false;
  for (const item of patch) {
    const directive = directiveOf(item);
    if (directive === 'merge') plain.push(withoutDirective(item));
    else if (directive === 'replace') replaces = true;
    else deleted.add(keyOf(item, mergeKey));
  }
  const kept = replaces ? [] : original.filter((item) => !deleted.has(getOwn(item, mergeKey) ?? null));
  return { original: kept, patch: plain, replaces };
}

/** Throws `PatchError` for an object without the merge key. */
function checkKeys(items: readonly JsonValue[], mergeKey: string): void {
  for (const item of objectsOf(items)) keyOf(item, mergeKey);
}

function keyOf(item: JsonObject, mergeKey: string): JsonValue {
  const key = getOwn(item, mergeKey);
  if (key === undefined) {
    fail(`map: ${shownValue(item)} does not contain declared merge key: ${mergeKey}`);
  }
  return key;
}

function mergeItems(
  original: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
  merge: ListMerge,
): JsonObject[] {
  const merged = [...original];
  const places = new Map<JsonValue, number>();
  for (const [index, item] of merged.entries()) {
    const key = getOwn(item, mergeKey);
    if (key !== undefined && !places.has(key)) places.set(key, index);
  }
  for (const item of patch) {
    const key = keyOf(item, mergeKey);
    const place = places.get(key) ?? merged.length;
    places.set(key, place);
    const live = merged[place];
    merged[place] = live ? merge.mergeItems(live, item) : item;
  }
  return merged;
}

/** Returns the identity of an item: the merge key of an object, or the scalar itself. */
function identity(item: JsonValue | undefined, mergeKey: string | undefined): JsonValue | undefined {
  return mergeKey !== undefined && isJsonObject(item) ? getOwn(item, mergeKey) : item;
}

/**
 * Returns the items that `order` names in that order, merged with the other items in theirs.
 * Another item precedes a named item if it preceded it in the original.
 */
function arranged<Item extends JsonValue>(
  items: readonly Item[],
  original: readonly JsonValue[],
  order: readonly JsonValue[],
  mergeKey: string | undefined,
): Item[] {
  const wanted = positions(order, mergeKey);
  const stood = positions(original, mergeKey);
  const at = (places: ReadonlyMap<JsonValue | undefined, number>, item: Item): number =>
    places.get(identity(item, mergeKey)) ?? Number.NaN;
  const named = items.filter((item) => wanted.has(identity(item, mergeKey)));
  const others = items.filter((item) => !wanted.has(identity(item, mergeKey)));
  named.sort((a, b) => at(wanted, a) - at(wanted, b));
  const result: Item[] = [];
  let taken = 0;
  for (const item of named) {
    for (let other = others[taken]; other !== undefined && at(stood, other) < at(stood, item); other = others[taken]) {
      result.push(other);
      taken++;
    }
    result.push(item);
  }
  return [...result, ...others.slice(taken)];
}

function positions(items: readonly JsonValue[], mergeKey: string | undefined): Map<JsonValue | undefined, number> {
  const places = new Map<JsonValue | undefined, number>();
  for (const [index, item] of items.entries()) {
    const key = identity(item, mergeKey);
    if (!places.has(key)) places.set(key, index);
  }
  return places;
}
