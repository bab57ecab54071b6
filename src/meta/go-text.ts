import { goQuote } from '../status/go-quote.ts';
import { isJsonObject, type JsonValue } from './json-value.ts';

/**
 * A value as Go's `%v` prints what it decoded from JSON: `map[a:1 b:[x y]]`. Messages that clients know hold values in this
 * form. At most `limit` characters.
 */
export function goText(value: JsonValue, limit = 1024): string {
  return cut(plainText(value), limit);
}

/** A value as Go's `%#v` prints what it decoded from JSON: `map[string]interface {}{"a":1}`. At most `limit` characters. */
export function goSyntax(value: JsonValue, limit = 1024): string {
  return cut(syntax(value), limit);
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}...` : text;
}

function plainText(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(plainText).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  return `map[${sorted(value, plainText).join(' ')}]`;
}

function syntax(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(syntax).join(', ')}}`;
  if (!isJsonObject(value)) return String(value);
  return `map[string]interface {}{${sorted(value, syntax, goQuote).join(', ')}}`;
}

/** Go prints maps in the order of their keys. */
function sorted(
  object: { readonly [key: string]: JsonValue },
  print: (value: JsonValue) => string,
  printKey: (key: string) => string = (key) => key,
): string[] {
  return Object.keys(object)
    .toSorted()
    .map((key) => `${printKey(key)}:${print(object[key] ?? null)}`);
}
