import { boundedList, cutText, quotedText } from '../status/shown-value.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json-value.ts';

/**
 * Formats a JSON value as Go's `%v` does: `map[a:1 b:[x y]]`. Known messages contain values in
 * this form. Cut to `limit` characters; formatting stops there.
 */
export function goText(value: JsonValue, limit = 1024): string {
  return cutText(plainText(value, limit), limit);
}

/**
 * Formats a JSON value as Go's `%#v` does: `map[string]interface {}{"a":1}`. At most `limit`
 * characters.
 */
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

/**
 * The keys in sorted order, as Go prints maps. If there are more than `limit` allows to show,
 * only the first `limit` keys are taken before sorting.
 */
function sortedKeys(object: JsonObject, limit: number): string[] {
  const keys = Object.keys(object);
  return (keys.length > Math.max(limit, fewKeys) ? keys.slice(0, limit) : keys).toSorted();
}

/** Up to this many keys are sorted in any case; that costs less than the message. */
const fewKeys = 1024;
