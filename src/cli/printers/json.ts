import type { ResourceReference } from '../../client/resource-path.ts';
import { isJsonObject, type JsonValue } from '../../meta/json-value.ts';

/** `-o json`: as kubectl prints it, with sorted keys and four spaces for each level. */
export function printJson(value: JsonValue): string {
  return `${jsonText(value, '\n')}\n`;
}

/** A value in one line, with sorted keys, as Go writes it. */
export function compactJson(value: JsonValue): string {
  return jsonText(value, '');
}

const step = '    ';

/** `line` is the line break before the closing bracket; empty: all is in one line. */
function jsonText(value: JsonValue, line: string): string {
  const inner = line && line + step;
  if (Array.isArray(value))
    return bracketed(
      '[',
      ']',
      line,
      value.map((item) => jsonText(item, inner)),
    );
  if (!isJsonObject(value)) return scalarText(value);
  const colon = line ? ': ' : ':';
  const keys = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .toSorted();
  const entries = keys.map((key) => scalarText(key) + colon + jsonText(value[key] ?? null, inner));
  return bracketed('{', '}', line, entries);
}

function bracketed(open: string, close: string, line: string, items: readonly string[]): string {
  if (items.length === 0) return open + close;
  const start = line && line + step;
  return open + start + items.join(`,${start}`) + line + close;
}

/** Go escapes what could end a script of a page. */
const escaped = /[<>&\u2028\u2029]/g;

function scalarText(value: JsonValue): string {
  if (typeof value === 'bigint') return value.toString();
  return JSON.stringify(value).replace(
    escaped,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The name of an object as other commands accept it: `pod/a`, `deployment.apps/b`. */
export function objectName(resource: ResourceReference & { readonly singular: string }, name: string): string {
  const word = resource.singular || resource.resource;
  return `${resource.group ? `${word}.${resource.group}` : word}/${name}`;
}
