import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../../src/meta/json-value.ts';
import type { Random } from '../../robustness/random.ts';
import { chance } from '../choices.ts';
import { isInner } from '../bodies/corrupted.ts';
import type { JsonPath } from '../json-paths.ts';

/** A random part of an object: each field below the top level stays with this chance; items of lists stay. */
export function partialObject(random: Random, object: JsonObject, keep: number): JsonObject {
  return mapFields(object, (path, value) => (isInner(path) && !chance(random, keep) ? undefined : value));
}

/** A copy in which some fields are null, which a patch takes for their removal. */
export function withNulls(random: Random, object: JsonObject, share = 0.06): JsonObject {
  return mapFields(object, (path, value) => (isInner(path) && chance(random, share) ? null : value));
}

/** A patch of an object does not repeat whose it is. */
export function withoutIdentity(random: Random, object: JsonObject): JsonObject {
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...rest } = object;
  if (!isJsonObject(metadata)) return rest;
  const { name: _name, ...others } = metadata;
  if (chance(random, 0.1)) return { ...rest, metadata };
  return Object.keys(others).length === 0 ? rest : { ...rest, metadata: others };
}

type FieldMap = (path: JsonPath, value: JsonValue) => JsonValue | undefined;

/** Calls `map` with every field of every object, outer ones first; undefined removes the field. */
function mapFields(object: JsonObject, map: FieldMap, above: JsonPath = []): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(object)) {
    const path = [...above, key];
    const mapped = map(path, value);
    if (mapped !== undefined) setOwn(result, key, mapInside(mapped, map, path));
  }
  return result;
}

function mapInside(value: JsonValue, map: FieldMap, path: JsonPath): JsonValue {
  if (Array.isArray(value)) return value.map((item, index) => mapInside(item, map, [...path, index]));
  return isJsonObject(value) ? mapFields(value, map, path) : value;
}
