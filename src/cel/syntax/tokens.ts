import { readText } from './text-literal.ts';
import type { LiteralValue } from './node.ts';
import { SyntaxProblem } from './problem.ts';

/** A token of an expression; `at` is its offset in code points. */
export interface Token {
  readonly kind: 'name' | 'quotedName' | 'literal' | 'number' | 'operator' | 'end';
  readonly text: string;
  readonly at: number;
  /** Of literals. */
  readonly value?: LiteralValue;
}

const blank = /(?:[\t\n\f\r ]|\/\/[^\n]*)+/y;
const name = /[_a-zA-Z][_a-zA-Z0-9]*/y;
const quotedName = /`[a-zA-Z0-9_.\-/ ]+`/y;
const double = /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)/y;
const integer = /(0x[0-9a-fA-F]+|\d+)([uU]?)/y;
const text = /(?:[rR][bB]?|[bB][rR]?)?(?:"""|'''|"|')/y;
const operator = /(?:&&|\|\||==|!=|<=|>=|[<>!?:.,()[\]{}+\-*/%])/y;

/** Splits an expression into tokens, the last of kind `end`. Throws SyntaxProblem. */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  const offsets = offsetCounter(source);
  for (let index = 0; ; ) {
    index += match(blank, source, index)?.[0].length ?? 0;
    const at = offsets(index);
    if (index >= source.length) return [...tokens, { kind: 'end', text: '<EOF>', at }];
    const { token, end } = tokenAt(source, index, at);
    tokens.push(token);
    index = end;
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

function tokenAt(source: string, index: number, at: number): { token: Token; end: number } {
  const opening = match(text, source, index);
  if (opening) {
    const { value, end } = readText(source, index, opening[0], at);
    return { token: { kind: 'literal', text: source.slice(index, end), at, value }, end };
  }
  for (const [kind, pattern] of plainTokens) {
    const found = match(pattern, source, index);
    if (found) return { token: { kind, text: found[0], at }, end: index + found[0].length };
  }
  const shown = String.fromCodePoint(source.codePointAt(index) ?? 0);
  throw new SyntaxProblem(at, `Syntax error: token recognition error at: '${shown}'`);
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
