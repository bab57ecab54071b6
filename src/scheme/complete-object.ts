import { memoize } from '../meta/memoize.ts';
import { isJsonObject, type JsonObject } from '../meta/json-value.ts';
import { applyDefaults } from './apply-defaults.ts';
import { decodeObject } from './decode-object.ts';
import type { Field, ObjectSchema } from './schema.ts';

/** The fields that are always present in an object, and in those of its objects that are, too. */
interface Present {
  readonly names: readonly string[];
  readonly objects: readonly (readonly [string, Present])[];
}

const presentIn = memoize((schema: ObjectSchema): Present => {
  const fields = [...schema.fields.values()].filter(isPresent);
  return {
    names: fields.map(({ name }) => name),
    objects: fields.flatMap(({ name, schema: inner }) =>
      inner.type === 'object' ? [[name, presentIn(inner)] as const] : [],
    ),
  };
});

function isPresent({ alwaysPresent, default: value, defaultWhen }: Field): boolean {
  return alwaysPresent || (value !== undefined && !defaultWhen);
}

/**
 * Returns an object of a built-in kind with what is always present in it, such as `spec`, `status`
 * and fields with a default outside of lists: itself if it is there, as in all that a server has
 * stored. What another program has stored is decoded. Throws DecodeError if it does not have the
 * types of its kind.
 */
export function completeObject(schema: ObjectSchema, object: JsonObject): JsonObject {
  if (isComplete(presentIn(schema), object)) return object;
  const { value } = decodeObject(schema, object);
  applyDefaults(schema, value);
  return value;
}

function isComplete({ names, objects }: Present, object: JsonObject): boolean {
  for (const name of names) if (object[name] === undefined) return false;
  for (const [name, inner] of objects) {
    const part = object[name];
    if (!isJsonObject(part) || !isComplete(inner, part)) return false;
  }
  return true;
}
