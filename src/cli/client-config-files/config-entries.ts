import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';

/** The lists of a client config, and the field of their entries that has the content. */
export const configLists = Object.freeze({ clusters: 'cluster', contexts: 'context', users: 'user' } as const);

/** The name of a list of a client config. */
export type ConfigList = keyof typeof configLists;

/** The entries of a list by name, in the order of the file; the first of two with a name. */
export function entriesOf(root: JsonObject, list: ConfigList): ReadonlyMap<string, JsonObject> {
  const entries = new Map<string, JsonObject>();
  for (const item of itemsOf(root, list)) {
    const name = nameOf(item);
    if (name === undefined || entries.has(name)) continue;
    entries.set(name, objectOf(objectOf(item)[configLists[list]]));
  }
  return entries;
}

/** A client config with these entries in a list, sorted by name; empty lists stay. */
export function withEntries(root: JsonObject, list: ConfigList, entries: ReadonlyMap<string, JsonObject>): JsonObject {
  const byName = [...entries].toSorted(([one], [other]) => compare(one, other));
  return { ...root, [list]: byName.map(([name, content]) => ({ name, [configLists[list]]: content })) };
}

/**
 * A client config with one entry set, or removed if it is undefined. Entries that are not
 * understood stay as they are, and so do the other fields of the entry.
 */
export function withEntry(
  root: JsonObject,
  list: ConfigList,
  name: string,
  content: JsonObject | undefined,
): JsonObject {
  const items = itemsOf(root, list);
  if (!content) return { ...root, [list]: items.filter((item) => nameOf(item) !== name) };
  const at = items.findIndex((item) => nameOf(item) === name);
  const set = { ...objectOf(items[at]), name, [configLists[list]]: content };
  return { ...root, [list]: at < 0 ? sorted([...items, set]) : items.with(at, set) };
}

/** A client config whose entry of a name has another one, and all else that it had. */
export function withRenamedEntry(root: JsonObject, list: ConfigList, from: string, to: string): JsonObject {
  const renamed = itemsOf(root, list).map((item) => (nameOf(item) === from ? { ...objectOf(item), name: to } : item));
  return { ...root, [list]: sorted(renamed) };
}

function itemsOf(root: JsonObject, list: ConfigList): readonly JsonValue[] {
  const items = root[list];
  return Array.isArray(items) ? items : [];
}

function objectOf(item: JsonValue | undefined): JsonObject {
  return isJsonObject(item) ? item : {};
}

/** The name of an entry; undefined if the entry is not understood. */
function nameOf(item: JsonValue): string | undefined {
  const { name } = objectOf(item);
  return typeof name === 'string' ? name : undefined;
}

/** Sorted by name, as kubectl writes them; entries without a name come first. */
function sorted(items: readonly JsonValue[]): JsonValue[] {
  const named = items.map((item) => ({ item, name: nameOf(item) ?? '' }));
  return named.toSorted((one, other) => compare(one.name, other.name)).map(({ item }) => item);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The current context; '' if none is chosen. */
export function currentContextOf(root: JsonObject): string {
  const value: JsonValue | undefined = root['current-context'];
  return typeof value === 'string' ? value : '';
}
