import { boundedList, cutText, quotedText } from '../status/shown-value.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json-value.ts';

/**
 * A value as Go's `%v` prints what it decoded from JSON: `map[a:1 b:[x y]]`. Messages that clients know hold values in this
 * form. At most `limit` characters; printing stops there.
 */
export function goText(value: JsonValue, limit = 1024): string {
  return cutText(plainText(value, limit), limit);
}

/** A value as Go's `%#v` prints what it decoded from JSON: `map[string]interface {}{"a":1}`. At most `limit` characters. */
export function goSyntax(value: JsonValue, limit = 1024): string {
  return cutText(syntax(value, limit), limit);
}

const plainList = { open: '[', close: ']', separator: ' ' };
const plainMap = { open: 'map[', close: ']', separator: ' ' };

function plainText(value: JsonValue, limit: number): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return boundedList(value, plainList, limit, plainText);
  if (typeof value === 'string') return value.slice(0, limit + 1);
  if (!isJsonObject(value)) return String(value);
  return boundedList(sortedKeys(value, limit), plainMap, limit, (key, room) => {
    return `${key.slice(0, room)}:${plainText(value[key] ?? null, room)}`;
  });
}

const syntaxList = { open: '[]interface {}{', close: '}', separator: ', ' };
const syntaxMap = { open: 'map[string]interface {}{', close: '}', separator: ', ' };

function syntax(value: JsonValue, limit: number): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return quotedText(value, limit);
  if (Array.isArray(value)) return boundedList(value, syntaxList, limit, syntax);
  if (!isJsonObject(value)) return String(value);
  return boundedList(sortedKeys(value, limit), syntaxMap, limit, (key, room) => {
    return `${quotedText(key, room)}:${syntax(value[key] ?? null, room)}`;
  });
}

/** Go prints maps in the order of their keys. Of more keys than can be shown, those that come first are sorted. */
function sortedKeys(object: JsonObject, limit: number): string[] {
  const keys = Object.keys(object);
  return (keys.length > Math.max(limit, fewKeys) ? keys.slice(0, limit) : keys).toSorted();
}

/** Sorting so many keys costs less than a message. */
const fewKeys = 1024;
