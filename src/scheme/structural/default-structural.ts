import { copyJson, getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../meta/json-value.ts';
import { roomAfter } from '../../meta/interned-json.ts';
import { StatusError } from '../../status/status-error.ts';
import type { StructuralSchema } from '../model/structural-schema.ts';
import { memoize } from '../../meta/memoize.ts';

/**
 * Fills in the defaults of a schema and removes nulls that it does not allow, in place. Such a null
 * counts as absent; `keepsNulls` keeps it where there is no default. Skips values of wrong types,
 * and schemas that keep all fields, because those have no defaults. Throws 413 when the defaults
 * exceed the limit of a body: a large default can be missing in very many items.
 */
export function defaultStructural(schema: StructuralSchema, value: JsonValue, keepsNulls = false): void {
  if (!schema.keepsAll) defaultValue({ schema, keepsNulls, room: { left: defaultsLimit } }, value, firstFields);
}

/** Limit of the characters of all defaults of an object, as JSON: the size of the largest body. */
const defaultsLimit = 3 * 1024 * 1024;

/** A schema, and the characters that defaults may still add to the object. */
interface Filling {
  readonly schema: StructuralSchema;
  readonly keepsNulls: boolean;
  readonly room: { left: number };
}

/** Copies a default, after its size was taken from the room that is left. */
function copyDefault({ room }: Filling, value: JsonValue): JsonValue {
  room.left = roomAfter(value, room.left);
  if (room.left < 0) {
    throw new StatusError(
      'RequestEntityTooLarge',
      `Request entity too large: the defaults of its schema add more than ${defaultsLimit} bytes`,
    );
  }
  return copyJson(value);
}

/** The first fields of a whole object; in its parts the names alone decide. */
const firstFields: readonly string[] = ['kind', 'apiVersion', 'metadata'];

function defaultValue(filling: Filling, value: JsonValue, first: readonly string[]): void {
  if (Array.isArray(value)) defaultItems(filling, value);
  else if (isJsonObject(value)) defaultFields(filling, value, first);
}

/** Reports whether a schema has a default, or a part with one. */
export const hasDefaults = memoize((schema: StructuralSchema): boolean =>
  [...partsOf(schema)].some((part) => part.default !== undefined || hasDefaults(part)),
);

function* partsOf({ properties, additional, items }: StructuralSchema): Iterable<StructuralSchema> {
  yield* properties.values();
  if (additional !== undefined && additional !== true) yield additional;
  if (items) yield items;
}

function defaultFields(filling: Filling, value: JsonObject, first: readonly string[]): void {
  const { schema, keepsNulls } = filling;
  let added = false;
  for (const [name, part] of schema.properties) {
    const given = getOwn(value, name);
    if (part.default === undefined || !isMissing(part, given)) continue;
    added ||= given === undefined;
    setOwn(value, name, copyDefault(filling, part.default));
  }
  if (added) sortFields(value, first);
  for (const key of Object.keys(value)) {
    const part = schema.properties.get(key) ?? schema.additional;
    if (part === undefined || part === true) continue;
    const given = value[key] ?? null;
    if (given === null && !part.nullable && !keepsNulls) delete value[key];
    else defaultValue({ ...filling, schema: part }, given, []);
  }
}

/** Sorts the fields by their names, after the first ones. */
function sortFields(value: JsonObject, first: readonly string[]): void {
  const placeOf = (name: string): number => (first.includes(name) ? first.indexOf(name) : first.length);
  const entries = Object.entries(value).toSorted(([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
  for (const [name] of entries) delete value[name];
  for (const [name, part] of entries) setOwn(value, name, part);
}

/** A null in a list stays, for validation: its place cannot be left out. */
function defaultItems(filling: Filling, value: JsonValue[]): void {
  const { items } = filling.schema;
  if (!items) return;
  const inItems: Filling = { ...filling, schema: items };
  for (const [index, item] of value.entries()) {
    if (item === null && !items.nullable && items.default !== undefined) {
      value[index] = copyDefault(filling, items.default);
    }
    defaultValue(inItems, value[index] ?? null, []);
  }
}

function isMissing({ nullable }: StructuralSchema, given: JsonValue | undefined): boolean {
  return given === undefined || (given === null && !nullable);
}
