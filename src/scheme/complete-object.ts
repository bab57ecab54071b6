import { memoize } from '../meta/memoize.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { applyDefaults } from './apply-defaults.ts';
import { decodeObject } from './decode-object.ts';
import type { Field, ObjectSchema } from './model/schema.ts';

/** The fields that are always present in an object, and its objects and lists of objects. */
interface Present {
  readonly names: readonly string[];
  readonly parts: readonly ObjectPart[];
}

/**
 * An object in a field, or a list of objects. Its fields are looked up late: a schema may contain
 * itself.
 */
interface ObjectPart {
  readonly name: string;
  readonly isList: boolean;
  readonly isRequired: boolean;
  readonly present: () => Present;
}

const presentIn = memoize((schema: ObjectSchema): Present => {
  const fields = [...schema.fields.values()];
  return { names: fields.filter(isPresent).map(({ name }) => name), parts: fields.flatMap(partOf) };
});

function partOf(field: Field): readonly ObjectPart[] {
  const { name, schema } = field;
  const isList = schema.type === 'list';
  const inner = isList ? schema.items : schema;
  if (inner.type !== 'object') return [];
  return [{ name, isList, isRequired: isPresent(field), present: () => presentIn(inner) }];
}

function isPresent({ alwaysPresent, default: value, defaultWhen }: Field): boolean {
  return alwaysPresent || (value !== undefined && !defaultWhen);
}

/**
 * Returns an object of a built-in kind with all fields that are always present in it and in its
 * parts, such as `spec`, `status` and fields with a default: itself if it has them, as each object
 * that a server has stored. An object of another program is decoded. Throws DecodeError if it does
 * not have the types of its kind.
 */
export function completeObject(schema: ObjectSchema, object: JsonObject): JsonObject {
  if (isComplete(presentIn(schema), object)) return object;
  const { value } = decodeObject(schema, object);
  applyDefaults(schema, value);
  return value;
}

function isComplete({ names, parts }: Present, object: JsonObject): boolean {
  for (const name of names) if (object[name] === undefined) return false;
  for (const part of parts) if (!isCompletePart(part, object[part.name])) return false;
  return true;
}

/** A null is an absent value, and a list without items. */
function isCompletePart({ isList, isRequired, present }: ObjectPart, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return isList || !isRequired;
  if (!isList) return isJsonObject(value) && isComplete(present(), value);
  if (!Array.isArray(value)) return false;
  const inside = present();
  if (inside.names.length === 0 && inside.parts.length === 0) return true;
  for (const item of value) if (!isJsonObject(item) || !isComplete(inside, item)) return false;
  return true;
}
