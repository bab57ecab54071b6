import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { type FieldEntry, type FieldSet, noFields } from './field-set.ts';
import { compareElements, parseElement, type PathElement } from './path-element.ts';

/**
 * The maximum depth of a field tree. Real objects stay below 30; deeper trees would only slow down
 * recursion.
 */
const depthLimit = 200;

/**
 * The error of an invalid `fieldsV1`. A list with such an entry is ignored; the error is not sent
 * to the client.
 */
export class FieldsV1Error extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FieldsV1Error';
  }
}

/**
 * Encodes a set as a FieldsV1 tree. A key is a path element, its value contains the elements below
 * it, and `.` marks a member that has members below it.
 */
export function encodeFieldsV1(set: FieldSet): JsonObject {
  return encodeInto({}, set);
}

function encodeInto(object: JsonObject, set: FieldSet): JsonObject {
  let last: FieldEntry | undefined;
  let tree = leafTree;
  for (const element of sorted([...set.entries.keys()])) {
    const entry = set.entries.get(element);
    if (!entry) continue;
    // Neighbours that share an entry share its tree.
    if (entry !== last) tree = encodeEntry(entry);
    last = entry;
    // Every path element has a prefix, so that none is a name such as __proto__.
    object[element] = tree;
  }
  return object;
}

/**
 * Sorts elements in place. Elements of one type, as in nearly all levels, are sorted by their text.
 */
function sorted(elements: PathElement[]): PathElement[] {
  if (elements.length < 2) return elements;
  const [first] = elements;
  const alike = elements.every((element) => element.charCodeAt(0) === first?.charCodeAt(0));
  // Sorting strings is cheaper without a comparison function.
  if (alike) elements.sort();
  else elements.sort(compareElements);
  return elements;
}

/**
 * The tree of a path element with nothing below it. Shared, because a list of many items has one
 * for each.
 */
const leafTree: JsonObject = Object.freeze({});

function encodeEntry(entry: FieldEntry): JsonObject {
  if (entry.below.entries.size === 0) return leafTree;
  return encodeInto(entry.member ? { '.': leafTree } : {}, entry.below);
}

/** Decodes a FieldsV1 tree to a set. Throws `FieldsV1Error` for an invalid tree. */
export function decodeFieldsV1(value: JsonValue | undefined, depth = 0): FieldSet {
  if (!isJsonObject(value)) throw new FieldsV1Error('a field set must be an object');
  if (depth > depthLimit) throw new FieldsV1Error(`a field set must nest at most ${depthLimit} levels`);
  const entries = new Map<PathElement, FieldEntry>();
  for (const key of Object.keys(value)) {
    if (key === '.') continue;
    const element = parseElement(key);
    if (element === undefined) throw new FieldsV1Error(`${key} is no path element`);
    entries.set(element, decodeEntry(value[key] ?? null, depth + 1));
  }
  return entries.size === 0 ? noFields : { entries };
}

/** The entry of a member with nothing below it. Shared, because most entries are of this form. */
const leaf: FieldEntry = Object.freeze({ member: true, below: noFields });

function decodeEntry(value: JsonValue, depth: number): FieldEntry {
  if (isJsonObject(value) && Object.keys(value).length === 0) return leaf;
  const below = decodeFieldsV1(value, depth);
  return { member: below.entries.size === 0 || (isJsonObject(value) && Object.hasOwn(value, '.')), below };
}
