import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../../src/meta/json-value.ts';
import { textAt, valueAt, withoutPath } from '../json-paths.ts';
import { mapManagers } from './forget-ownership.ts';
import type { FieldNames } from './known-difference.ts';

/** The maps and lists of an object of a random kind that some managers own without anything that is in them. */
export function ownedEmpties(
  object: JsonValue,
  isMeant: (entry: JsonValue) => boolean = () => true,
): readonly FieldNames[] {
  return ownedIn(object, isMeant, (isWhole, value) => isWhole && hasParts(value));
}

/** The maps of an object of a random kind, or nulls in place of them, that some managers own beside what is in them. */
export function ownedMaps(object: JsonValue, isMeant: (entry: JsonValue) => boolean): readonly FieldNames[] {
  return ownedIn(object, isMeant, (_, value) => value === null || isJsonObject(value ?? ''));
}

/** Whether a member of a field set is meant: if nothing below it is one, and its value. */
type IsMeant = (isWhole: boolean, value: JsonValue | undefined) => boolean;

function ownedIn(object: JsonValue, isMeant: (entry: JsonValue) => boolean, isOwned: IsMeant): readonly FieldNames[] {
  const entries = valueAt(object, ['metadata', 'managedFields']);
  const meant = (Array.isArray(entries) ? entries : []).filter(isMeant);
  return meant.flatMap((entry) => membersIn(valueAt(entry, ['fieldsV1']), object, isOwned));
}

function membersIn(
  fields: JsonValue | undefined,
  value: JsonValue | undefined,
  isOwned: IsMeant,
): readonly FieldNames[] {
  if (!isJsonObject(fields)) return [];
  const inside = Object.entries(fields).filter(([key]) => key !== '.');
  const isMember = inside.length === 0 || Object.hasOwn(fields, '.');
  const own: FieldNames[] = isMember && isOwned(inside.length === 0, value) ? [[]] : [];
  const below = inside.flatMap(([key, part]) => {
    const names = key.startsWith('f:') ? [key.slice(2)] : [];
    return membersIn(part, partAt(value, key), isOwned).map((inner) => [...names, ...inner]);
  });
  return [...own, ...below];
}

function hasParts(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** The part of a value that an element of a field set names. */
function partAt(value: JsonValue | undefined, element: string): JsonValue | undefined {
  if (element.startsWith('f:')) return valueAt(value, [element.slice(2)]);
  if (!element.startsWith('k:') || !Array.isArray(value)) return undefined;
  const name = textAt(JSON.parse(element.slice(2)) as JsonValue, ['name']);
  return value.find((item) => textAt(item, ['name']) === name);
}

/** The normalised managers of an object without the maps that they own beside, or instead of, what is in them. */
export function withoutMaps(object: JsonValue): JsonValue {
  const mapped = mapManagers(object, (name, fields) => {
    const left = scalarsOf(fields, object);
    return left === undefined ? undefined : [name, left];
  });
  const path = ['metadata', 'managedFields'];
  const managers = valueAt(mapped, path);
  return isJsonObject(managers ?? null) && Object.keys(managers ?? {}).length === 0
    ? withoutPath(mapped, path)
    : mapped;
}

/** The fields whose values are no maps, nor null in place of one; undefined if there is none. */
function scalarsOf(fields: JsonValue, value: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(fields)) return fields;
  const parts = Object.entries(fields).filter(([key]) => key !== '.');
  if (parts.length === 0) return value === null || isJsonObject(value ?? '') ? undefined : fields;
  const left: JsonObject = {};
  for (const [key, part] of parts) {
    const scalars = scalarsOf(part, isJsonObject(value ?? null) ? valueAt(value, [key.slice(2)]) : undefined);
    if (scalars !== undefined) setOwn(left, key, scalars);
  }
  return Object.keys(left).length === 0 ? undefined : left;
}
