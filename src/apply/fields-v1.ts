import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { type FieldEntry, type FieldSet, noFields } from './field-set.ts';
import { compareElements, parseElement, type PathElement } from './path-element.ts';

/** How deep a field tree may nest; real objects stay below 30, and deeper ones would only burden the walks. */
const depthLimit = 200;

/** A `fieldsV1` that breaks its format; managers with one are dropped, never answered with an error. */
export class FieldsV1Error extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FieldsV1Error';
  }
}

/**
 * A set as the FieldsV1 tree: a step is a key, its value holds the steps below, and `.` says that the path itself is
 * a member where there are others below.
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
    // Items of a list that were made alike have one entry, and one tree will do.
    if (entry !== last) tree = encodeEntry(entry);
    last = entry;
    // Every step has a prefix, so that none is a name like __proto__.
    object[element] = tree;
  }
  return object;
}

/** In place. Steps of one sort, as nearly all of a level are, are in the order of their texts. */
function sorted(elements: PathElement[]): PathElement[] {
  if (elements.length < 2) return elements;
  const [first] = elements;
  const alike = elements.every((element) => element.charCodeAt(0) === first?.charCodeAt(0));
  // The order of plain texts is cheaper without a function.
  if (alike) elements.sort();
  else elements.sort(compareElements);
  return elements;
}

/** One for all steps that have none below: a list of many items has as many. */
const leafTree: JsonObject = Object.freeze({});

function encodeEntry(entry: FieldEntry): JsonObject {
  if (entry.below.entries.size === 0) return leafTree;
  return encodeInto(entry.member ? { '.': leafTree } : {}, entry.below);
}

/** The set that a FieldsV1 tree stands for. Throws `FieldsV1Error` for anything that is none. */
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

/** Most steps are the last of their path. */
const leaf: FieldEntry = Object.freeze({ member: true, below: noFields });

function decodeEntry(value: JsonValue, depth: number): FieldEntry {
  if (isJsonObject(value) && Object.keys(value).length === 0) return leaf;
  const below = decodeFieldsV1(value, depth);
  return { member: below.entries.size === 0 || (isJsonObject(value) && Object.hasOwn(value, '.')), below };
}
