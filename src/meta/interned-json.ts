import { LRUCache } from 'lru-cache';
import { isJsonObject, type JsonObject, type JsonValue } from './json-value.ts';

/** The total length of all texts. */
const limitCharacters = 1 << 20;

/** Pure caches: a text and its tree follow from each other. */
const treesByText = new LRUCache<string, JsonObject>({
  maxSize: limitCharacters,
  sizeCalculation: (_tree, text) => text.length,
});
const textsByTree = new WeakMap<JsonObject, string>();

/**
 * Keeps a JSON object that occurs in many documents, such as the fields of a manager, with its
 * compact text, so that it is neither encoded nor parsed again. Nobody may change it afterwards.
 */
export function internJson(tree: JsonObject, text: string): void {
  treesByText.set(text, tree);
  textsByTree.set(tree, text);
}

/** Returns the kept object with this text. Must not be changed. */
export function internedTree(text: string): JsonObject | undefined {
  return treesByText.get(text);
}

/** Returns the text of an object that was kept; undefined for any other value. */
export function internedText(tree: JsonValue | undefined): string | undefined {
  return isJsonObject(tree) ? textsByTree.get(tree) : undefined;
}

/**
 * Subtracts the approximate size of a value as JSON from `room`, in characters. Stops early at a
 * negative result, so that it takes no longer than the room.
 */
export function roomAfter(value: JsonValue | undefined, room: number): number {
  if (typeof value === 'string') return room - value.length - 3;
  if (typeof value !== 'object' || value === null) return room - 8;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at++) left = roomAfter(value[at], left);
    return left;
  }
  for (const key in value) {
    if (left < 0) return left;
    left = roomAfter(value[key], left - key.length - 4);
  }
  return left;
}
