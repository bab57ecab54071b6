import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import type { FieldSet } from './field-set.ts';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.ts';

/** Texts that are remembered, altogether; the sets behind them take some ten times as much. */
const limitCharacters = 1 << 20;

/** Caches, not state: what they hold follows from the texts and sets alone. Objects of one making have the same sets. */
const setsByText = new Map<string, FieldSet>();
const setsByTree = new WeakMap<JsonObject, FieldSet>();
const encoded = new WeakMap<FieldSet, JsonObject>();
const textsByTree = new WeakMap<JsonObject, string>();
let characters = 0;

/**
 * The set that a FieldsV1 tree stands for, the same one for the same tree: nearly every write meets sets that it has met
 * before. Throws `FieldsV1Error` for anything that is none.
 */
export function knownFieldSet(value: JsonValue): FieldSet {
  const known = isJsonObject(value) ? setsByTree.get(value) : undefined;
  if (known) return known;
  const text = textOf(value);
  if (text === undefined) return decodeFieldsV1(value);
  let set = setsByText.get(text);
  if (!set) {
    set = decodeFieldsV1(value);
    remember(text, set);
  }
  return set;
}

/** A set as a FieldsV1 tree, the same one for equal sets that are remembered. Nobody may change it. */
export function knownFieldsV1(set: FieldSet): JsonObject {
  const known = encoded.get(set);
  if (known) return known;
  const value = encodeFieldsV1(set);
  const text = JSON.stringify(value);
  const first = setsByText.get(text);
  // Another object of the same making has brought it about; one tree will do for both.
  const same = first && encoded.get(first);
  if (same) return same;
  if (!first) remember(text, set);
  encoded.set(first ?? set, value);
  setsByTree.set(value, first ?? set);
  textsByTree.set(value, text);
  return value;
}

/** The compact JSON of a tree that `knownFieldsV1` has answered; undefined for any other. */
export function knownFieldsText(tree: JsonValue | undefined): string | undefined {
  return isJsonObject(tree) ? textsByTree.get(tree) : undefined;
}

function textOf(value: JsonValue): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // What a client sends may hold numbers that no text of JSON.stringify has; it is no set either.
    return undefined;
  }
}

function remember(text: string, set: FieldSet): void {
  for (const oldest of setsByText.keys()) {
    if (characters + text.length <= limitCharacters) break;
    setsByText.delete(oldest);
    characters -= oldest.length;
  }
  if (text.length > limitCharacters) return;
  setsByText.set(text, set);
  characters += text.length;
}
