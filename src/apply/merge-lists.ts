import type { JsonValue } from '../meta/json-value.ts';
import type { ListSchema, Schema } from '../scheme/model/schema.ts';
import { isSameItem, itemElement, type PathElement } from './path-element.ts';

/** Merges an applied value into a live one; returns the live value itself if nothing changes. */
type MergeItem = (schema: Schema, live: JsonValue | undefined, applied: JsonValue) => JsonValue;

/**
 * Merges an applied list into a live one. Items are matched by their keys. Those that the applied
 * list names are in its order, and all others keep their places: between the named items around
 * them, before new ones. An applied item replaces all live items of its key if there are several,
 * without a merge. Returns the live list itself if nothing changes.
 */
export function mergeLists(
  schema: ListSchema,
  live: JsonValue[],
  applied: readonly JsonValue[],
  mergeItem: MergeItem,
): JsonValue[] {
  const wanted = applied.map((item) => itemElement(schema, item));
  const named = new Set(wanted);
  if (named.size === live.length && !named.has(undefined) && isAligned(schema, live, applied)) {
    const aligned = applied.map((item, index) => mergeItem(schema.items, live[index], item));
    return aligned.every((item, index) => item === live[index]) ? live : aligned;
  }
  const places = live.map((item) => itemElement(schema, item));
  const known = itemsByElement(places, live);
  const shared = wanted.filter((element) => element !== undefined && known.has(element));
  const merged: JsonValue[] = [];
  let index = 0;
  // A live item that is named has its place where the applied list has it.
  const takeUnnamed = (until: PathElement | undefined): void => {
    for (; index < live.length; index++) {
      const element = places[index];
      if (element === undefined || !named.has(element)) merged.push(live[index] ?? null);
      else if (element === until) return;
    }
  };
  let matched = 0;
  for (const [position, item] of applied.entries()) {
    const element = wanted[position];
    takeUnnamed(shared[matched]);
    if (element === undefined || element !== shared[matched]) merged.push(item);
    else {
      merged.push(mergeItem(schema.items, known.get(element), item));
      matched++;
      if (places[index] === element) index++;
    }
  }
  takeUnnamed(undefined);
  const same = merged.length === live.length && merged.every((item, place) => item === live[place]);
  return same ? live : merged;
}

/** True if both lists have the same items in the same order, as the lists of most applies do. */
function isAligned(schema: ListSchema, live: readonly JsonValue[], applied: readonly JsonValue[]): boolean {
  return (
    live.length === applied.length && applied.every((item, index) => isSameItem(schema, item, live[index] ?? null))
  );
}

/** The live items by their elements; undefined for an element that several items have. */
function itemsByElement(
  places: readonly (PathElement | undefined)[],
  live: readonly JsonValue[],
): ReadonlyMap<PathElement, JsonValue | undefined> {
  const items = new Map<PathElement, JsonValue | undefined>();
  for (const [index, element] of places.entries()) {
    if (element !== undefined) items.set(element, items.has(element) ? undefined : live[index]);
  }
  return items;
}
