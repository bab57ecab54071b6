import { isJsonObject, type JsonObject, type JsonValue } from '../../src/meta/json-value.ts';
import { objectAt, stringAt } from '../../src/meta/read-field.ts';

/** The values in an object that one manager owns whole, as JSON by their paths. */
export type Leaves = ReadonlyMap<string, string>;

/**
 * The leaves of a value of a structural schema: scalars, lists and maps that are atomic, and the items of sets. Items of
 * keyed lists are named by their key. What is no part of the schema is left out unless it is kept. An undefined schema:
 * the value has none.
 */
export function leavesOf(schema: JsonObject | undefined, value: JsonValue): Leaves {
  const leaves = new Map<string, string>();
  collect(schema, value, '', { leaf: (path, text) => leaves.set(path, text), empty: () => undefined });
  return leaves;
}

/** The paths of the maps, sets and keyed lists of a value in which nothing is: they are no leaves. */
export interface Empties {
  readonly maps: readonly string[];
  readonly lists: readonly string[];
}

/** What is empty in a value of a structural schema. */
export function emptiesOf(schema: JsonObject | undefined, value: JsonValue): Empties {
  const empties: Record<keyof Empties, string[]> = { maps: [], lists: [] };
  collect(schema, value, '', { leaf: () => undefined, empty: (path, kind) => empties[kind].push(path) });
  return empties;
}

const extension = (schema: JsonObject | undefined, name: string): JsonValue | undefined =>
  schema?.[`x-kubernetes-${name}`];

/** Is given each leaf of a value, and what is empty. */
interface LeafVisitor {
  readonly leaf: (path: string, text: string) => void;
  readonly empty: (path: string, kind: keyof Empties) => void;
}

function collect(schema: JsonObject | undefined, value: JsonValue, path: string, visitor: LeafVisitor): void {
  if (!isOpen(schema, value)) visitor.leaf(path, JSON.stringify(kept(schema, value)));
  else if (Array.isArray(value)) collectItems(schema ?? {}, value, path, visitor);
  else collectKeys(schema, value, path, visitor);
}

/** Whether managers own parts of a value. */
function isOpen(schema: JsonObject | undefined, value: JsonValue): value is JsonObject | JsonValue[] {
  const listType = extension(schema, 'list-type');
  if (Array.isArray(value)) return listType === 'set' || listType === 'map';
  return isJsonObject(value) && extension(schema, 'map-type') !== 'atomic';
}

function collectItems(schema: JsonObject, list: readonly JsonValue[], path: string, visitor: LeafVisitor): void {
  if (list.length === 0) visitor.empty(path, 'lists');
  for (const item of list) {
    if (isJsonObject(item)) {
      const at = `${path}/[${stringAt(item, 'name')}${stringAt(item, 'zone')}]`;
      visitor.leaf(memberOf(at), '');
      collect(objectAt(schema, 'items'), item, at, visitor);
    } else visitor.leaf(`${path}/=${JSON.stringify(item)}`, JSON.stringify(item));
  }
}

function collectKeys(schema: JsonObject | undefined, object: JsonObject, path: string, visitor: LeafVisitor): void {
  const entries = Object.entries(object);
  if (entries.length === 0) visitor.empty(path, 'maps');
  for (const [key, value] of entries) {
    const part = partOf(schema, key);
    if (part === 'unknown') continue;
    const at = `${path}/${key}`;
    // Labels are a field of the metadata of a whole object.
    const isDeclared = isField(schema, key) || path.endsWith('/metadata');
    if (isOpen(part, value) && !isDeclared) visitor.leaf(memberOf(at), '');
    collect(part, value, at, visitor);
  }
}

/** The name of an item of a keyed list, or of a key of a map, as something that a manager owns beside what is in it. */
function memberOf(path: string): string {
  return `${path}.`;
}

/** True for the name of a member. */
export function isMember(path: string): boolean {
  return path.endsWith('.');
}

/** The members in which a leaf is, and the leaf itself. */
export function membersAround(path: string): readonly string[] {
  const parts = path.split('/');
  return [...parts.map((_, index) => memberOf(parts.slice(0, index + 1).join('/'))), path];
}

function isField(schema: JsonObject | undefined, key: string): boolean {
  const isMetadata = extension(schema, 'embedded-resource') === true && key === 'metadata';
  return isMetadata || Object.hasOwn(objectAt(schema ?? {}, 'properties'), key);
}

/** The schema of a key; undefined for a value without one, `unknown` for a field that is removed. */
function partOf(schema: JsonObject | undefined, key: string): JsonObject | undefined | 'unknown' {
  if (!schema) return undefined;
  const declared = objectAt(schema, 'properties')[key];
  if (isJsonObject(declared ?? null)) return declared as JsonObject;
  const others = schema['additionalProperties'];
  if (isJsonObject(others ?? null)) return others as JsonObject;
  if (extension(schema, 'embedded-resource') === true && ['apiVersion', 'kind', 'metadata'].includes(key))
    return undefined;
  return extension(schema, 'preserve-unknown-fields') === true ? undefined : 'unknown';
}

/** A value without the fields that are removed, and with the defaults that are filled in, in the order of keys. */
function kept(schema: JsonObject | undefined, value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => kept(schema && objectAt(schema, 'items'), item));
  if (!isJsonObject(value)) return value;
  const filled = { ...defaultsOf(schema), ...value };
  const entries = Object.entries(filled).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    entries.flatMap(([key, item]) => {
      const part = partOf(schema, key);
      return part === 'unknown' ? [] : [[key, kept(part, item)] as const];
    }),
  );
}

/** The defaults of the fields of an object. */
function defaultsOf(schema: JsonObject | undefined): JsonObject {
  const parts = Object.entries(objectAt(schema ?? {}, 'properties'));
  return Object.fromEntries(
    parts.flatMap(([name, part]) =>
      isJsonObject(part) && part['default'] !== undefined ? [[name, part['default']]] : [],
    ),
  );
}
