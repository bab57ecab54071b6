import type { LiteralValue } from './syntax-tree.ts';
import { type Problem, SyntaxProblem } from './problem.ts';

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  '"': '"',
  "'": "'",
  '`': '`',
};

/** Escapes by number: `\x41`, `\u0041`, `\U00000041`, `\101`. */
const numbered = /(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2}))/y;

/**
 * Reads the literal of a string or of bytes that begins at an index with `opening`: prefixes and
 * quotes. `at` is its offset for errors. Throws SyntaxProblem.
 */
function readText(
  source: string,
  index: number,
  opening: string,
  at: number,
): { readonly value: string | Uint8Array; readonly end: number } | string {
  const [isRaw, isBytes] = [/^[bB]?[rR]/.test(opening), /^[rR]?[bB]/.test(opening)];
  const quote = opening.replace(/^[a-zA-Z]+/, '');
  const start = index + opening.length;
  const end = closing(source, start, quote);
  if (end === undefined) {
    const line = quote.length === 1 ? source.slice(start).search(/[\n\r]/) : -1;
    return source.slice(index, line < 0 ? undefined : start + line + 1);
  }
  const body = source.slice(start, end).replaceAll(/\r\n?/g, '\n');
  return { value: isBytes ? bytesOf(body, isRaw, at) : textOf(body, isRaw, at), end: end + quote.length };
}

/** The index of the closing quote. A quote of one character ends on its line. */
function closing(source: string, start: number, quote: string): number | undefined {
  for (let index = start; index < source.length; index++) {
    if (source.startsWith(quote, index)) return index;
    if (quote.length === 1 && (source[index] === '\n' || source[index] === '\r')) return undefined;
    if (source[index] === '\\') index++;
  }
  return undefined;
}

/** A part of a literal: plain text, or the number of an escape. */
type LiteralPart = { readonly text: string } | { readonly code: number; readonly isUnicode: boolean };

function partsOf(body: string, at: number): readonly LiteralPart[] {
  const parts: LiteralPart[] = [];
  for (let index = 0; index < body.length; ) {
    const next = body.indexOf('\\', index);
    if (next !== index) parts.push({ text: body.slice(index, next < 0 ? undefined : next) });
    if (next < 0) break;
    const { part, end } = escapeAt(body, next + 1, at);
    parts.push(part);
    index = end;
  }
  return parts;
}

function escapeAt(body: string, index: number, at: number): { part: LiteralPart; end: number } {
  const plain = escapes[body[index] ?? ''];
  if (plain !== undefined) return { part: { text: plain }, end: index + 1 };
  numbered.lastIndex = index;
  const found = numbered.exec(body);
  if (!found) throw new SyntaxProblem(at, 'unable to unescape string');
  const [whole, hex, short, long, octal] = found;
  const isUnicode = short !== undefined || long !== undefined;
  const code = octal === undefined ? Number.parseInt(hex ?? short ?? long ?? '', 16) : Number.parseInt(octal, 8);
  return { part: { code, isUnicode }, end: index + whole.length };
}

function textOf(body: string, isRaw: boolean, at: number): string {
  if (isRaw || !body.includes('\\')) return body;
  return partsOf(body, at)
    .map((part) => {
      if ('text' in part) return part.text;
      if (part.code > 0x10_ff_ff || (part.code >= 0xd8_00 && part.code < 0xe0_00)) {
        throw new SyntaxProblem(at, 'invalid unicode code point');
      }
      return String.fromCodePoint(part.code);
    })
    .join('');
}

function bytesOf(body: string, isRaw: boolean, at: number): Uint8Array {
  if (isRaw) return new TextEncoder().encode(body);
  const encoder = new TextEncoder();
  return Uint8Array.from(
    partsOf(body, at).flatMap((part) => {
      if ('text' in part) return [...encoder.encode(part.text)];
      if (part.isUnicode) throw new SyntaxProblem(at, 'unable to unescape string');
      return [part.code];
    }),
  );
}

/** A token of an expression; `at` is its offset in code points. */
export interface Token {
  readonly kind: 'name' | 'quotedName' | 'literal' | 'number' | 'operator' | 'end';
  readonly text: string;
  readonly at: number;
  /** The value of a literal. */
  readonly value?: LiteralValue;
}

const blank = /(?:[\t\n\f\r ]|\/\/[^\n]*)+/y;
const name = /[_a-zA-Z][_a-zA-Z0-9]*/y;
const quotedName = /`[a-zA-Z0-9_.\-/ ]+`/y;
const double = /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)/y;
const integer = /(0x[0-9a-fA-F]+|\d+)([uU]?)/y;
const text = /(?:[rR][bB]?|[bB][rR]?)?(?:"""|'''|"|')/y;
const operator = /(?:&&|\|\||==|!=|<=|>=|[<>!?:.,()[\]{}+\-*/%])/y;

/** The tokens of an expression, and the errors of invalid characters. */
interface Tokens {
  readonly tokens: readonly Token[];
  readonly problems: readonly Problem[];
}

/**
 * Splits an expression into tokens, the last of kind `end`. Throws SyntaxProblem for a token with
 * an invalid value.
 */
export function tokensOf(source: string): Tokens {
  const tokens: Token[] = [];
  const problems: Problem[] = [];
  const offsets = offsetCounter(source);
  for (let index = 0; ; ) {
    index += match(blank, source, index)?.[0].length ?? 0;
    const at = offsets(index);
    if (index >= source.length || problems.length >= mostProblems)
      return { tokens: [...tokens, { kind: 'end', text: '<EOF>', at }], problems };
    const read = tokenAt(source, index, at);
    if (typeof read === 'string') {
      problems.push({ at, message: `Syntax error: token recognition error at: '${read}'` });
      index += read.length;
    } else {
      tokens.push(read.token);
      index = read.end;
    }
  }
}

/** Counts code points before increasing indexes of a text. */
function offsetCounter(source: string): (index: number) => number {
  let [last, count] = [0, 0];
  return (index) => {
    count += Array.from(source.slice(last, index)).length;
    last = index;
    return count;
  };
}

function match(pattern: RegExp, source: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(source);
}

/** The most errors of invalid characters. */
const mostProblems = 30;

/**
 * Reads the token at an index, with its end. Returns the invalid characters if there is no token.
 */
function tokenAt(source: string, index: number, at: number): { token: Token; end: number } | string {
  const opening = match(text, source, index);
  if (opening) {
    const read = readText(source, index, opening[0], at);
    if (typeof read === 'string') return read;
    const { value, end } = read;
    return { token: { kind: 'literal', text: source.slice(index, end), at, value }, end };
  }
  for (const [kind, pattern] of plainTokens) {
    const found = match(pattern, source, index);
    if (found) return { token: { kind, text: found[0], at }, end: index + found[0].length };
  }
  // Half of a two-character operator; the message includes the next character.
  const length = /[&|=`]/.test(source.charAt(index)) ? 2 : 1;
  return Array.from(source.slice(index, index + 4))
    .slice(0, length)
    .join('');
}

const plainTokens: readonly (readonly [Token['kind'], RegExp])[] = [
  ['name', name],
  ['quotedName', quotedName],
  ['number', double],
  ['number', integer],
  ['operator', operator],
];

const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n];
const mostUnsigned = 2n ** 64n - 1n;

/** The value of a number; `sign` is '-' or ''. Throws SyntaxProblem if it is out of range. */
export function numberValue({ text: digits, at }: Token, sign: string): LiteralValue {
  const whole = match(integer, digits, 0);
  if (whole?.[0].length !== digits.length) {
    const value = Number(sign + digits);
    if (!Number.isFinite(value)) throw new SyntaxProblem(at, 'invalid double literal');
    return value;
  }
  const [, amount = '0', suffix] = whole;
  const value = sign === '-' ? -BigInt(amount) : BigInt(amount);
  if (suffix !== '') {
    if (value > mostUnsigned) throw new SyntaxProblem(at, 'invalid uint literal');
    return { uint: value };
  }
  if (value < least || value > most) throw new SyntaxProblem(at, 'invalid int literal');
  return value;
}
