import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { goNumber } from '../../meta/go-value.ts';
import { yamlString } from './yaml-string.ts';

/**
 * `-o yaml`: as kubectl prints it, with sorted keys. `separated` adds a document separator in
 * front.
 */
export function printYaml(value: JsonValue, separated = false): string {
  return `${separated ? '---\n' : ''}${nodeText(value, 0, 0)}\n`;
}

const step = 2;

/**
 * The text of a value without the last line break. The first line begins at `column`, the others at
 * `indent`.
 */
function nodeText(value: JsonValue, indent: number, column: number): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : sequenceText(value, indent);
  if (isJsonObject(value)) return mappingText(value, indent);
  // A scalar of a document or an entry goes on deeper than its key.
  if (typeof value === 'string') return yamlString(value, { indent, column, isKey: false });
  return typeof value === 'number' ? goNumber(value) : String(value);
}

function sequenceText(items: readonly JsonValue[], indent: number): string {
  const pad = ' '.repeat(indent);
  return items.map((item) => `- ${nodeText(item, indent + step, indent + step)}`).join(`\n${pad}`);
}

function mappingText(object: JsonObject, indent: number): string {
  const pad = ' '.repeat(indent);
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  if (keys.length === 0) return '{}';
  return keys
    .toSorted(inNaturalOrder)
    .map((key) => entryText(key, object[key] ?? null, indent))
    .join(`\n${pad}`);
}

/** The longest key that is written in front of its value. */
const longestKey = 128;

function entryText(key: string, value: JsonValue, indent: number): string {
  const name = yamlString(key, { indent, column: indent, isKey: true });
  const start = name.length > longestKey ? `? ${name}\n${' '.repeat(indent)}:` : `${name}:`;
  const line = start.slice(start.lastIndexOf('\n') + 1);
  if (Array.isArray(value) && value.length > 0) return `${start}\n${' '.repeat(indent)}${sequenceText(value, indent)}`;
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    return `${start}\n${' '.repeat(indent + step)}${mappingText(value, indent + step)}`;
  }
  const column = (name.length > longestKey ? line.length : indent + name.length + 1) + 1;
  return `${start} ${nodeText(value, indent + step, column)}`;
}

const letter = /\p{L}/u;
const digits = /^\d+/;

/** The order of keys of Go's YAML library: letters after others, numbers by value. */
function inNaturalOrder(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  let at = 0;
  while (at < length && one[at] === other[at]) at++;
  if (at === length) return one.length - other.length;
  const [a, b] = [one[at] ?? '', other[at] ?? ''];
  const letters = [letter.test(a), letter.test(b)];
  if (letters[0] && letters[1]) return a < b ? -1 : 1;
  if (letters[0] || letters[1]) return letters[1] ? -1 : 1;
  const [m, n] = [numberAt(one, at, a === '0' || b === '0'), numberAt(other, at, a === '0' || b === '0')];
  return m.value - n.value || m.length - n.length || (a < b ? -1 : 1);
}

/** The digits at a place; with `zeros`, they belong to a number before it, if there is one. */
function numberAt(text: string, at: number, zeros: boolean): { readonly value: number; readonly length: number } {
  const found = digits.exec(text.slice(at))?.[0] ?? '';
  const before = zeros && /[1-9]\d*$/.test(text.slice(0, at)) ? '1' : '';
  return { value: Number(before + found), length: found.length };
}
