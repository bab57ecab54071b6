import { type CelList, type CelValue, Failure, itemsOf, listFrom } from '../values/cel-value.ts';
import type { Library } from './library.ts';
import { formatText } from './format-text.ts';

function outOfRange(index: bigint): Failure {
  return new Failure(`index out of range: ${index}`);
}

/** A text of which each unit is a character allows indexes; others are split. */
function charactersOf(text: string): readonly string[] | string {
  return /[\uD800-\uDBFF]/.test(text) ? Array.from(text) : text;
}

function slice(characters: readonly string[] | string, start: number, end?: number): string {
  return typeof characters === 'string' ? characters.slice(start, end) : characters.slice(start, end).join('');
}

function charAt(text: string, index: bigint): string | Failure {
  const characters = charactersOf(text);
  if (index < 0n || index > BigInt(characters.length)) return outOfRange(index);
  return characters[Number(index)] ?? '';
}

function substring(text: string, start: bigint, end?: bigint): string | Failure {
  const characters = charactersOf(text);
  const last = end ?? BigInt(characters.length);
  if (end === undefined && (start < 0n || start > last)) return outOfRange(start);
  if (start > last) return new Failure(`invalid substring range. start: ${start}, end: ${last}`);
  if (start < 0n || start > BigInt(characters.length)) return outOfRange(start);
  if (last < 0n || last > BigInt(characters.length)) return outOfRange(last);
  return slice(characters, Number(start), Number(last));
}

function indexOf(text: string, part: string, from?: bigint): bigint | Failure {
  const characters = charactersOf(text);
  const start = from ?? 0n;
  if (from !== undefined && part === '') return start;
  if (start < 0n || start > BigInt(characters.length)) return outOfRange(start);
  const before = slice(characters, 0, Number(start)).length;
  return offsetOf(text, text.indexOf(part, before));
}

function lastIndexOf(text: string, part: string, from?: bigint): bigint | Failure {
  const characters = charactersOf(text);
  if (from === undefined) return offsetOf(text, text.lastIndexOf(part));
  if (part === '') return from;
  if (from < 0n || from > BigInt(characters.length)) return outOfRange(from);
  return offsetOf(text, text.lastIndexOf(part, slice(characters, 0, Number(from)).length));
}

/** An index of a text as an offset in code points. */
function offsetOf(text: string, index: number): bigint {
  return BigInt(index < 0 ? -1 : Array.from(text.slice(0, index)).length);
}

function replace(text: string, [part, other]: readonly [string, string], limit: bigint): string {
  if (limit < 0n) return text.replaceAll(part, () => other);
  const pieces = splitText(text, part, limit + 1n);
  return pieces.join(other);
}

/** At most `limit` parts; all of them if it is negative. */
function splitText(text: string, separator: string, limit: bigint): readonly string[] {
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  if (limit < 0n || BigInt(parts.length) <= limit) return parts;
  if (limit === 0n) return [];
  const kept = Number(limit) - 1;
  return [...parts.slice(0, kept), parts.slice(kept).join(separator)];
}

function join(list: CelList, separator: string): string | Failure {
  const items = itemsOf(list);
  const texts = items.filter((item) => typeof item === 'string');
  return texts.length === items.length ? texts.join(separator) : new Failure('no such overload');
}

/** Removes blanks of Unicode at both ends. */
function trim(text: string): string {
  const blank = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+';
  const start = new RegExp(`^${blank}`, 'u').exec(text)?.[0].length ?? 0;
  let end = text.length;
  while (end > start && new RegExp(blank, 'u').test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

const escapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

function quote(text: string): string {
  const wellFormed = text.replaceAll(/[\uD800-\uDFFF]/gu, '\uFFFD');
  return `"${Array.from(wellFormed, (character) => escapes[character] ?? character).join('')}"`;
}

/** Functions on texts. */
export const strings: Library = {
  functions: [['strings.quote(string): string', quote]],
  methods: [
    ['contains(string, string): bool', (text: string, part: string) => text.includes(part)],
    ['startsWith(string, string): bool', (text: string, part: string) => text.startsWith(part)],
    ['endsWith(string, string): bool', (text: string, part: string) => text.endsWith(part)],
    ['charAt(string, int): string', charAt],
    ['indexOf(string, string): int', indexOf],
    ['indexOf(string, string, int): int', indexOf],
    ['lastIndexOf(string, string): int', lastIndexOf],
    ['lastIndexOf(string, string, int): int', lastIndexOf],
    ['lowerAscii(string): string', (text: string) => text.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase())],
    ['upperAscii(string): string', (text: string) => text.replaceAll(/[a-z]+/g, (part) => part.toUpperCase())],
    [
      'replace(string, string, string): string',
      (text: string, part: string, other: string) => replace(text, [part, other], -1n),
    ],
    [
      'replace(string, string, string, int): string',
      (text: string, part: string, other: string, limit: bigint) => replace(text, [part, other], limit),
    ],
    [
      'split(string, string): list<string>',
      (text: string, separator: string) => listFrom(splitText(text, separator, -1n)),
    ],
    [
      'split(string, string, int): list<string>',
      (text: string, separator: string, limit: bigint) => listFrom(splitText(text, separator, limit)),
    ],
    ['substring(string, int): string', substring],
    ['substring(string, int, int): string', substring],
    ['trim(string): string', trim],
    ['join(list<string>): string', (list: CelList) => join(list, '')],
    ['join(list<string>, string): string', join],
    [
      'format(string, list<dyn>): string',
      (text: string, values: CelList): CelValue => formatText(text, itemsOf(values)),
    ],
  ],
};
