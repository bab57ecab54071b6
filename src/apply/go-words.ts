import { isJsonObject, type JsonValue } from '../meta/json-value.ts';
import { goNumber } from '../meta/go-value.ts';
import { boundedList, cutText, shownValueLimit } from '../status/shown-value.ts';

/** Prints a value; at most some characters more than `limit`. */
type Print = (value: JsonValue, limit: number) => string;

/** A value in a message as Go's `%v` prints it, `map[a:1 b:[x]]`, of bounded length. */
export function shownInGo(value: JsonValue): string {
  return cutText(printPlain(value, shownValueLimit));
}

/** A value in a message as Go's `%#v` prints it, `[]interface {}{"x"}`, of bounded length. */
export function syntaxInGo(value: JsonValue): string {
  return cutText(printSyntax(value, shownValueLimit));
}

const printPlain: Print = (value, limit) => {
  if (value === null) return '<nil>';
  if (typeof value === 'number') return goNumber(value);
  if (typeof value === 'string') return value.slice(0, limit + 1);
  if (Array.isArray(value)) return boundedList(value, { open: '[', close: ']', separator: ' ' }, limit, printPlain);
  if (!isJsonObject(value)) return String(value);
  const print = (key: string, room: number): string => `${key}:${printPlain(value[key] ?? null, room)}`;
  return boundedList(Object.keys(value).toSorted(), { open: 'map[', close: ']', separator: ' ' }, limit, print);
};

const printSyntax: Print = (value, limit) => {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'number') return goNumber(value);
  if (typeof value === 'string') return JSON.stringify(value.slice(0, limit + 1));
  const brackets = { close: '}', separator: ', ' };
  if (Array.isArray(value)) return boundedList(value, { ...brackets, open: '[]interface {}{' }, limit, printSyntax);
  if (!isJsonObject(value)) return String(value);
  const print = (key: string, room: number): string =>
    `${JSON.stringify(key)}:${printSyntax(value[key] ?? null, room)}`;
  const keys = Object.keys(value).toSorted();
  return boundedList(keys, { ...brackets, open: 'map[string]interface {}{' }, limit, print);
};
