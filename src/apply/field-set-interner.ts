import { LRUCache } from 'lru-cache';
import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { internJson, internedText } from '../meta/interned-json.ts';
import type { FieldSet } from './field-set.ts';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.ts';

/** The total length of all interned texts. The sets take some ten times as much memory. */
const limitCharacters = 1 << 20;

/**
 * Pure caches: their content follows from texts and sets alone. Objects that were created alike
 * share their sets.
 */
const setsByText = new LRUCache<string, FieldSet>({
  maxSize: limitCharacters,
  sizeCalculation: (_set, text) => text.length,
});
const setsByTree = new WeakMap<JsonObject, FieldSet>();
const encoded = new WeakMap<FieldSet, JsonObject>();

/**
 * Returns the set of a FieldsV1 tree. Equal trees get the same set while it is cached; nearly every
 * write meets sets that were decoded before. Throws `FieldsV1Error` for an invalid tree.
 */
export function internedFieldSet(value: JsonValue): FieldSet {
  const known = isJsonObject(value) ? setsByTree.get(value) : undefined;
  if (known) return known;
  const text = textOf(value);
  if (text === undefined) return decodeFieldsV1(value);
  let set = setsByText.get(text);
  if (!set) {
    set = decodeFieldsV1(value);
    setsByText.set(text, set);
  }
  return set;
}

/**
 * Returns the FieldsV1 tree of a set. Equal sets get the same tree while it is cached. Must not be
 * changed.
 */
export function internedFieldsV1(set: FieldSet): JsonObject {
  const known = encoded.get(set);
  if (known) return known;
  const value = encodeFieldsV1(set);
  const text = JSON.stringify(value);
  const first = setsByText.get(text);
  // An equal set was encoded before: its tree is reused.
  const same = first && encoded.get(first);
  if (same) return same;
  if (!first) setsByText.set(text, set);
  encoded.set(first ?? set, value);
  setsByTree.set(value, first ?? set);
  internJson(value, text);
  return value;
}

function textOf(value: JsonValue): string | undefined {
  try {
    return internedText(value) ?? JSON.stringify(value);
  } catch {
    // A value from a client may contain a bigint, for which JSON.stringify throws. Such a value is
    // no valid set either.
    return undefined;
  }
}
