import { type CelList, type CelValue, Failure, hasPairs, itemsOf, listFrom } from '../values/cel-value.ts';
import { spend, type WorkMeter } from '../values/work-meter.ts';
import { type Library, Metered } from './library.ts';
import { formatText } from './format-text.ts';

function outOfRange(index: bigint): Failure {
  return new Failure(`index out of range: ${index}`);
}

/** The units for a character of a text that is split. */
const splitWork = 4;

/** A text of which each unit is a character allows indexes; others are split. */
function charactersOf(meter: WorkMeter, text: string): readonly string[] | string {
  if (!hasPairs(meter, text)) return text;
  spend(meter, text.length * splitWork);
  return Array.from(text);
}

function slice(characters: readonly string[] | string, start: number, end?: number): string {
  return typeof characters === 'string' ? characters.slice(start, end) : characters.slice(start, end).join('');
}

function charAt(meter: WorkMeter, text: string, index: bigint): string | Failure {
  const characters = charactersOf(meter, text);
  if (index < 0n || index > BigInt(characters.length)) return outOfRange(index);
  return characters[Number(index)] ?? '';
}

function substring(meter: WorkMeter, text: string, start: bigint, end?: bigint): string | Failure {
  const characters = charactersOf(meter, text);
  const last = end ?? BigInt(characters.length);
  if (end === undefined && (start < 0n || start > last)) return outOfRange(start);
  if (start > last) return new Failure(`invalid substring range. start: ${start}, end: ${last}`);
  if (start < 0n || start > BigInt(characters.length)) return outOfRange(start);
  if (last < 0n || last > BigInt(characters.length)) return outOfRange(last);
  return slice(characters, Number(start), Number(last));
}

function indexOf(meter: WorkMeter, text: string, part: string, from?: bigint): bigint | Failure {
  const characters = charactersOf(meter, text);
  const start = from ?? 0n;
  if (from !== undefined && part === '') return start;
  if (start < 0n) return outOfRange(start);
  if (start > BigInt(characters.length)) return -1n;
  const before = slice(characters, 0, Number(start)).length;
  return offsetOf(characters, text, text.indexOf(part, before));
}

function lastIndexOf(meter: WorkMeter, text: string, part: string, from?: bigint): bigint | Failure {
  const characters = charactersOf(meter, text);
  if (from === undefined) return offsetOf(characters, text, text.lastIndexOf(part));
  if (part === '') return from;
  if (from < 0n) return outOfRange(from);
  if (from > BigInt(characters.length)) return -1n;
  return offsetOf(characters, text, text.lastIndexOf(part, slice(characters, 0, Number(from)).length));
}

/** An index of a text as an offset in code points. */
function offsetOf(characters: readonly string[] | string, text: string, index: number): bigint {
  if (index < 0 || typeof characters === 'string') return BigInt(index);
  return BigInt(Array.from(text.slice(0, index)).length);
}

function replaceAll(meter: WorkMeter, text: string, part: string, other: string): string {
  spend(meter, countOf(text, part) * other.length);
  return text.replaceAll(part, () => other);
}

function replace(meter: WorkMeter, text: string, part: string, other: string, limit: bigint): string {
  if (limit < 0n) return replaceAll(meter, text, part, other);
  const pieces = splitText(meter, text, part, limit + 1n);
  spend(meter, pieces.length * other.length);
  return pieces.join(other);
}

/** How often a text has a part. An empty part is before and after each unit. */
function countOf(text: string, part: string): number {
  if (part === '') return text.length + 1;
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
  return count;
}

/** At most `limit` parts; all of them if it is negative. */
function splitText(meter: WorkMeter, text: string, separator: string, limit: bigint): readonly string[] {
  spend(meter, (separator === '' ? text.length : countOf(text, separator)) * splitWork);
  const parts = separator === '' ? charactersIn(meter, text) : text.split(separator);
  if (limit < 0n || BigInt(parts.length) <= limit) return parts;
  if (limit === 0n) return [];
  const kept = Number(limit) - 1;
  return [...parts.slice(0, kept), parts.slice(kept).join(separator)];
}

function charactersIn(meter: WorkMeter, text: string): readonly string[] {
  return hasPairs(meter, text) ? Array.from(text) : text.split('');
}

function join(meter: WorkMeter, list: CelList, separator = ''): string | Failure {
  const items = itemsOf(meter, list);
  const texts = items.filter((item) => typeof item === 'string');
  if (texts.length < items.length) return new Failure('no such overload');
  spend(
    meter,
    texts.reduce((sum, text) => sum + text.length, texts.length * separator.length),
  );
  return texts.join(separator);
}

const blanks = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const leading = new RegExp(`^${blanks}+`, 'u');
const blank = new RegExp(blanks, 'u');

/** Removes blanks of Unicode at both ends. */
function trim(text: string): string {
  const start = leading.exec(text)?.[0].length ?? 0;
  let end = text.length;
  while (end > start && blank.test(text.charAt(end - 1))) end--;
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
  methods: [
    ['contains(string, string): bool', (text: string, part: string) => text.includes(part)],
    ['startsWith(string, string): bool', (text: string, part: string) => text.startsWith(part)],
    ['endsWith(string, string): bool', (text: string, part: string) => text.endsWith(part)],
    ['charAt(string, int): string', new Metered(charAt)],
    ['indexOf(string, string): int', new Metered(indexOf)],
    ['indexOf(string, string, int): int', new Metered(indexOf)],
    ['lastIndexOf(string, string): int', new Metered(lastIndexOf)],
    ['lastIndexOf(string, string, int): int', new Metered(lastIndexOf)],
    ['lowerAscii(string): string', (text: string) => text.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase())],
    ['upperAscii(string): string', (text: string) => text.replaceAll(/[a-z]+/g, (part) => part.toUpperCase())],
    ['replace(string, string, string): string', new Metered(replaceAll)],
    ['replace(string, string, string, int): string', new Metered(replace)],
    [
      'split(string, string): list<string>',
      new Metered((meter, text: string, separator: string) => listFrom(splitText(meter, text, separator, -1n))),
    ],
    [
      'split(string, string, int): list<string>',
      new Metered((meter, text: string, separator: string, limit: bigint) =>
        listFrom(splitText(meter, text, separator, limit)),
      ),
    ],
    ['substring(string, int): string', new Metered(substring)],
    ['substring(string, int, int): string', new Metered(substring)],
    ['trim(string): string', trim],
    ['join(list<string>): string', new Metered(join)],
    ['join(list<string>, string): string', new Metered(join)],
  ],
};

/** Functions that quote strings and format values. */
export const textFormats: Library = {
  functions: [['strings.quote(string): string', quote]],
  methods: [
    [
      'format(string, list<dyn>): string',
      new Metered((meter, text: string, values: CelList): CelValue => formatText(meter, text, values)),
    ],
  ],
};
