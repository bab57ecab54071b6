import { toUSVString } from 'node:util';
import { type JsonObject, type JsonValue, setOwn } from '../meta/json-value.ts';
import { encodeJson } from './encode-json.ts';
import { blockScalar } from './plain-yaml-blocks.ts';
import { resolvePlainScalar } from './resolve-plain-scalar.ts';

/** Thrown for everything outside the subset, well-formed or not. */
class NotPlain extends Error {}

function giveUp(): never {
  throw new NotPlain();
}

/** A document and the line that is read next. */
interface Reading {
  readonly lines: string[];
  at: number;
  depth: number;
}

/** Nested deeper than any object of the API; the reader recurses. */
const depthLimit = 500;

/**
 * Reads the YAML that people and generators write most: block mappings and sequences, scalars in
 * all styles, flow collections on one line. Some ten times as fast as the complete reader.
 * Undefined for a text with anything else (anchors, tags, merge keys, duplicate keys, errors),
 * which is then read completely, with the messages of that reader.
 */
export function decodePlainYaml(text: string): { readonly value: JsonValue } | undefined {
  const reading: Reading = { lines: text.split('\n'), at: 0, depth: 0 };
  try {
    if (/^(?:%|\.\.\.(?:\s|$))|\r(?!\n)|\ufeff|^---/m.test(text)) return undefined;
    if (text.includes('\r')) reading.lines.forEach((line, at) => (reading.lines[at] = line.replace(/\r$/, '')));
    const indent = nextIndent(reading);
    const value = indent < 0 ? null : readBlock(reading, indent);
    return nextIndent(reading) < 0 ? { value } : undefined;
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

/** Skips blank lines and comments; the indentation of the next line, -1 at the end. */
function nextIndent(reading: Reading): number {
  for (; reading.at < reading.lines.length; reading.at++) {
    const line = reading.lines[reading.at] ?? '';
    const indent = indentOf(line);
    const code = line.charCodeAt(indent);
    // Not a blank line nor a comment.
    if (indent === line.length || code === 0x23) continue;
    if (code === 0x09) giveUp();
    return indent;
  }
  return -1;
}

function indentOf(line: string): number {
  let indent = 0;
  while (line.charCodeAt(indent) === 0x20) indent++;
  return indent;
}

function isEntry(line: string, indent: number): boolean {
  if (line.charCodeAt(indent) !== 0x2d) return false;
  return line.length === indent + 1 || line.charCodeAt(indent + 1) === 0x20;
}

function readBlock(reading: Reading, indent: number): JsonValue {
  if (++reading.depth > depthLimit) giveUp();
  const line = reading.lines[reading.at] ?? '';
  const value = isEntry(line, indent) ? readSequence(reading, indent) : readMapping(reading, indent);
  reading.depth--;
  return value;
}

function readSequence(reading: Reading, indent: number): JsonValue[] {
  const items: JsonValue[] = [];
  while (nextIndent(reading) === indent && isEntry(reading.lines[reading.at] ?? '', indent)) {
    const line = reading.lines[reading.at] ?? '';
    let column = indent + 1;
    while (line.charCodeAt(column) === 0x20) column++;
    const rest = line.slice(column);
    if (rest !== '' && rest.charCodeAt(0) !== 0x23 && (isEntry(line, column) || keyEnd(rest) >= 0)) {
      // The entry is a collection that begins on its line.
      reading.lines[reading.at] = ' '.repeat(column) + rest;
      items.push(readBlock(reading, column));
    } else {
      reading.at++;
      items.push(readValue(reading, rest, indent, false));
    }
  }
  if (nextIndent(reading) > indent) giveUp();
  return items;
}

function readMapping(reading: Reading, indent: number): JsonObject {
  const object: JsonObject = {};
  while (nextIndent(reading) === indent) {
    const line = reading.lines[reading.at] ?? '';
    if (isEntry(line, indent)) break;
    const content = line.slice(indent);
    const end = keyEnd(content);
    if (end < 0) giveUp();
    const key = readKey(content.slice(0, end).trimEnd());
    if (Object.hasOwn(object, key)) giveUp();
    reading.at++;
    setOwn(object, key, readValue(reading, content.slice(end + 1).trimStart(), indent, true));
  }
  if (nextIndent(reading) > indent) giveUp();
  return object;
}

const quotedKey = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*') *:(?= |$)/;
const simpleKey = /^[\w.$/-][^\s:#]*:(?= |$)/;
const plainKey = /:(?= |$)/;

/** The place of the colon after a key; -1 if there is no key. */
function keyEnd(content: string): number {
  const simple = simpleKey.exec(content);
  if (simple) return content.startsWith('- ') ? -1 : simple[0].length - 1;
  const first = content.charAt(0);
  if (first === '"' || first === "'") return (quotedKey.exec(content)?.[0].length ?? 0) - 1;
  if (indicators.has(first)) return -1;
  const end = content.search(plainKey);
  const comment = content.search(/ #/);
  return comment >= 0 && comment < end ? -1 : end;
}

/** The characters that begin something else than a plain scalar. */
const indicators: ReadonlySet<string> = new Set('[]{}&*!|>%@`#,"\'');

/** A key is a string in JSON: a number or a boolean is written as JSON. */
function readKey(text: string): string {
  const first = text.charAt(0);
  if (first === '"' || first === "'") return unquote(text.slice(1, -1), first);
  if (text === '' || text === '<<' || /^[?-](?: |$)/.test(text)) giveUp();
  const value = resolvePlainScalar(text);
  if (value === undefined) giveUp();
  return typeof value === 'string' ? value : encodeJson(value);
}

/** Reads a value whose first line is `rest`; `indent` is the indent of its collection. */
function readValue(reading: Reading, rest: string, indent: number, inMapping: boolean): JsonValue {
  const first = rest.charAt(0);
  if (first === '' || first === '#') return readNested(reading, indent, inMapping);
  if (first === '|' || first === '>') {
    const scalar = blockScalar(reading.lines, reading.at, rest, indent) ?? giveUp();
    reading.at = scalar.next;
    return scalar.text;
  }
  if (first === '"' || first === "'") return readQuoted(reading, rest.slice(1), first, indent);
  if (first === '{' || first === '[') return readFlow(rest);
  if (indicators.has(first) || /^[?:-](?:\s|$)/.test(rest) || rest.includes('\t')) giveUp();
  return readPlain(reading, rest, indent);
}

/** The value on the lines after its key: a sequence may have the indentation of the key. */
function readNested(reading: Reading, indent: number, inMapping: boolean): JsonValue {
  const next = nextIndent(reading);
  const line = reading.lines[reading.at] ?? '';
  const isSequence = inMapping && next === indent && isEntry(line, next);
  if (next > indent && !isEntry(line, next) && keyEnd(line.slice(next)) < 0) giveUp();
  return next > indent || isSequence ? readBlock(reading, next) : null;
}

function readPlain(reading: Reading, rest: string, indent: number): JsonValue {
  const comment = rest.indexOf(' #');
  const text = (comment < 0 ? rest : rest.slice(0, comment)).trimEnd();
  if (plainKey.test(text)) giveUp();
  const more = continuation(reading, indent);
  if (more === '') return resolvePlainScalar(text) ?? (text === '' ? null : resolveOrGiveUp(text));
  if (comment >= 0) giveUp();
  return resolveOrGiveUp(text + more);
}

function resolveOrGiveUp(text: string): JsonValue {
  const value = resolvePlainScalar(text);
  return value === undefined ? giveUp() : value;
}

/** The folded lines that continue a plain scalar: they are indented more than its collection. */
function continuation(reading: Reading, indent: number): string {
  let folded = '';
  for (;;) {
    let at = reading.at;
    while (at < reading.lines.length && (reading.lines[at] ?? '').trim() === '') at++;
    const line = reading.lines[at];
    if (line === undefined || indentOf(line) <= indent) return folded;
    const text = line.trim();
    if (text.startsWith('#')) {
      // A comment ends the scalar; what follows it is not part of it.
      return folded;
    }
    if (plainKey.test(text) || text.includes(' #') || line.includes('\t') || /^[?:-](?: |$)/.test(text)) giveUp();
    const blank = at - reading.at;
    folded += (blank === 0 ? ' ' : '\n'.repeat(blank)) + text;
    reading.at = at + 1;
  }
}

/** Reads a quoted scalar from after its first quote to the end of its last line. */
function readQuoted(reading: Reading, first: string, quote: string, indent: number): string {
  let piece = first;
  let raw = '';
  for (let blank = 0; ; ) {
    const end = quoteEnd(piece, quote);
    if (end >= 0) {
      if (!/^(?:\s+#.*|\s*)$/.test(piece.slice(end + 1))) giveUp();
      return unquote(raw + piece.slice(0, end), quote);
    }
    const text = piece.trimEnd();
    if (text.endsWith('\\') && quote === '"') giveUp();
    for (blank = 0; (reading.lines[reading.at] ?? giveUp()).trim() === ''; reading.at++) blank++;
    const next = reading.lines[reading.at++] ?? '';
    if (indentOf(next) <= indent || next.includes('\t')) giveUp();
    // Kept apart from escapes, which are read afterwards.
    raw += text + (blank === 0 ? ' ' : '\n'.repeat(blank));
    piece = next.trimStart();
  }
}

function quoteEnd(text: string, quote: string): number {
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote === '"' && char === '\\') at++;
    else if (char === quote) {
      if (quote === '"' || text.charAt(at + 1) !== quote) return at;
      at++;
    }
  }
  return -1;
}

const escapes: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\u0007',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\u001b',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
};

function unquote(text: string, quote: string): string {
  if (quote === "'") return text.replaceAll("''", "'");
  if (!text.includes('\\')) return text;
  const read = text.replaceAll(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([\s\S]))/g,
    (_, byte?: string, unit?: string, letter = '') => {
      const hex = byte ?? unit;
      return hex === undefined ? (escapes[letter] ?? giveUp()) : String.fromCharCode(Number.parseInt(hex, 16));
    },
  );
  return toUSVString(read);
}

const flowToken =
  /\s*(?:([[\]{},])|"((?:[^"\\]|\\.)*)"(\s*:)?|'((?:[^']|'')*)'(\s*:)?|([\w./$*-][^\s,[\]{}:#"'&!]*)(:(?= ))?)/y;

/** Reads a flow collection that ends on its line, of quoted and simple scalars. */
function readFlow(rest: string): JsonValue {
  flowToken.lastIndex = 0;
  const value = flowValue(rest, nextToken(rest), 0);
  if (!/^(?:\s+#.*|\s*)$/.test(rest.slice(flowToken.lastIndex))) giveUp();
  return value;
}

function nextToken(rest: string): RegExpExecArray {
  return flowToken.exec(rest) ?? giveUp();
}

function flowValue(rest: string, token: RegExpExecArray, depth: number): JsonValue {
  if (depth > depthLimit) giveUp();
  const [, mark, double, doubleKey, single, singleKey, plain, plainKeyMark] = token;
  if (mark === '[') return flowItems(rest, depth);
  if (mark === '{') return flowFields(rest, depth);
  if (mark !== undefined || doubleKey || singleKey || plainKeyMark) giveUp();
  if (double !== undefined) return unquote(double, '"');
  if (single !== undefined) return unquote(single, "'");
  return plain === undefined || plain === '-' ? giveUp() : resolveOrGiveUp(plain);
}

function flowItems(rest: string, depth: number): JsonValue[] {
  const items: JsonValue[] = [];
  let token = nextToken(rest);
  while (token[1] !== ']') {
    items.push(flowValue(rest, token, depth + 1));
    token = nextToken(rest);
    if (token[1] === ']') break;
    if (token[1] !== ',') giveUp();
    token = nextToken(rest);
  }
  return items;
}

function flowFields(rest: string, depth: number): JsonObject {
  const object: JsonObject = {};
  let token = nextToken(rest);
  while (token[1] !== '}') {
    const [, , double, doubleKey, single, singleKey, plain, plainKeyMark] = token;
    if (!(doubleKey || singleKey || plainKeyMark)) giveUp();
    const key =
      double === undefined
        ? single === undefined
          ? readKey(plain ?? '')
          : unquote(single, "'")
        : unquote(double, '"');
    if (Object.hasOwn(object, key)) giveUp();
    setOwn(object, key, flowValue(rest, nextToken(rest), depth + 1));
    token = nextToken(rest);
    if (token[1] === '}') break;
    if (token[1] !== ',') giveUp();
    token = nextToken(rest);
  }
  return object;
}
