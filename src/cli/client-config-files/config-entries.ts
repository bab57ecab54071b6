import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';

/** The lists of a client config, and the field of their entries that has the content. */
export const configLists = Object.freeze({ clusters: 'cluster', contexts: 'context', users: 'user' } as const);

/** The name of a list of a client config. */
export type ConfigList = keyof typeof configLists;

/** The entries of a list by name, in the order of the file; the first of two with a name. */
export function entriesOf(root: JsonObject, list: ConfigList): ReadonlyMap<string, JsonObject> {
  const items = root[list];
  const entries = new Map<string, JsonObject>();
  for (const item of Array.isArray(items) ? items.filter(isJsonObject) : []) {
    const content = item[configLists[list]];
    if (typeof item['name'] !== 'string' || entries.has(item['name'])) continue;
    entries.set(item['name'], isJsonObject(content) ? content : {});
  }
  return entries;
}

/** A client config with these entries in a list, sorted by name; empty lists stay. */
export function withEntries(root: JsonObject, list: ConfigList, entries: ReadonlyMap<string, JsonObject>): JsonObject {
  const sorted = [...entries].toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return { ...root, [list]: sorted.map(([name, content]) => ({ name, [configLists[list]]: content })) };
}

/** A client config with one entry set, or removed if it is undefined. */
export function withEntry(
  root: JsonObject,
  list: ConfigList,
  name: string,
  content: JsonObject | undefined,
): JsonObject {
  const entries = new Map(entriesOf(root, list));
  if (content) entries.set(name, content);
  else entries.delete(name);
  return withEntries(root, list, entries);
}

/** The current context; '' if none is chosen. */
export function currentContextOf(root: JsonObject): string {
  const value: JsonValue | undefined = root['current-context'];
  return typeof value === 'string' ? value : '';
}
