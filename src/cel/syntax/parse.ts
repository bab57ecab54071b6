import { expandMacro, type MacroCall } from './macros.ts';
import {
  type MapEntry,
  makeCall,
  makeIdent,
  makeLiteral,
  makeNode,
  nestingLimit,
  type Node,
  type StructField,
  tooDeep,
} from './syntax-tree.ts';
import { SyntaxProblem } from './problem.ts';
import {
  afterOperand,
  expectedTokens,
  mayFollow,
  newSyntaxErrors,
  operandStarts,
  report,
  startsOperand,
  type SyntaxErrors,
} from './syntax-errors.ts';
import type { Syntax } from './syntax.ts';
import { numberValue, type Token, tokensOf } from './tokens.ts';

/** The names that no variable may have. */
const reserved: ReadonlySet<string> = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);
const keywords: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);

/** The binary operators, from those that bind weakest to those that bind strongest. */
const levels: readonly (readonly string[])[] = [
  ['<', '<=', '>=', '>', '==', '!=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];

/** Longer texts, up to the 100,000 characters of cel-go, would take too long in one turn. */
const longestText = 20_000;

/** The state of a parser. */
interface Parser {
  readonly tokens: readonly Token[];
  readonly syntax: Syntax;
  next: number;
  nesting: number;
  readonly errors: SyntaxErrors;
}

/** Parses an expression, with its macros expanded. Throws SyntaxProblem. */
export function parse(source: string, syntax: Syntax): Node {
  if (source.length > longestText) {
    const why = `expression code point size exceeds limit: size: ${source.length}, limit ${longestText}`;
    throw new SyntaxProblem(0, why);
  }
  const { tokens, problems } = tokensOf(source);
  const parser: Parser = { tokens, syntax, next: 0, nesting: 0, errors: newSyntaxErrors(source, problems) };
  const node = parseAll(parser);
  const [first, ...others] = parser.errors.problems;
  if (first || !node) throw new SyntaxProblem(first?.at ?? 0, first?.message ?? '', others);
  return node;
}

/** Parses a whole expression. An error that recovery cannot handle ends parsing. */
function parseAll(parser: Parser): Node | undefined {
  try {
    const node = expression(parser);
    const rest = peek(parser);
    if (rest.kind !== 'end') {
      const isLast = parser.tokens[parser.next + 1]?.kind === 'end';
      report(parser.errors, rest.at, `${isLast ? 'extraneous' : 'mismatched'} input '${rest.text}' expecting <EOF>`);
    }
    return node;
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    parser.errors.problems.push({ at: error.at, message: error.message });
    return undefined;
  }
}

const end: Token = { kind: 'end', text: '<EOF>', at: 0 };

function peek({ tokens, next }: Parser): Token {
  return tokens[next] ?? tokens.at(-1) ?? end;
}

/** Takes the next token if it is one of some operators or keywords. */
function take(parser: Parser, ...texts: readonly string[]): Token | undefined {
  const token = peek(parser);
  if (!isOneOf(token, texts)) return undefined;
  advance(parser);
  return token;
}

function isOneOf(token: Token | undefined, texts: readonly string[]): boolean {
  return (token?.kind === 'operator' || token?.kind === 'name') && texts.includes(token.text);
}

/** Advances to the next token. A matching token ends error recovery. */
function advance(parser: Parser): void {
  parser.next++;
  parser.errors.isRecovering = false;
}

/** Takes the question mark of optional syntax. `written` is the operator in messages. */
function takeOptional(parser: Parser, written: string): Token | undefined {
  const token = take(parser, '?');
  if (token && !parser.syntax.hasOptionals) throw new SyntaxProblem(token.at, `unsupported syntax '${written}'`);
  return token;
}

/**
 * Takes a required token, with the recovery of ANTLR: one extraneous token before it is skipped; a
 * missing one is inserted if the next token may follow it. `others` are the other allowed tokens.
 */
function need(parser: Parser, text: string, ...others: readonly string[]): Token {
  const token = take(parser, text);
  if (token) return token;
  const { errors } = parser;
  const found = peek(parser);
  const wanted = expectedTokens([text, ...others]);
  if (isOneOf(parser.tokens[parser.next + 1], [text, ...others]) && found.kind !== 'end') {
    report(errors, found.at, `extraneous input '${found.text}' expecting ${wanted}`);
    advance(parser);
    return take(parser, text) ?? found;
  }
  if (others.length === 0 && mayFollow(text, found, errors)) {
    report(errors, found.at, `missing '${text}' at '${found.text}'`);
    errors.isRecovering = true;
    return found;
  }
  throw mismatch(errors, found, wanted);
}

/** The error of a mismatched token, which ends parsing. */
function mismatch({ isRecovering, problems }: SyntaxErrors, { at, text }: Token, wanted: string): SyntaxProblem {
  const last = problems.at(-1);
  if (isRecovering && last) {
    problems.pop();
    return new SyntaxProblem(last.at, last.message);
  }
  return new SyntaxProblem(at, `Syntax error: mismatched input '${text}' expecting ${wanted}`);
}

/** Parses a part that ends with one of some tokens. */
function inside<Result>(parser: Parser, ends: readonly string[], read: () => Result): Result {
  parser.errors.ends.push(ends);
  const result = read();
  parser.errors.ends.pop();
  return result;
}

/** Checks that an operand begins, skipping one extraneous token. False if there is no operand. */
function beginsOperand(parser: Parser, ...others: readonly string[]): boolean {
  const token = peek(parser);
  if (startsOperand(token) || isOneOf(token, others)) return true;
  const { errors } = parser;
  const wanted = expectedTokens([...operandStarts, ...others]);
  const next = parser.tokens[parser.next + 1];
  if (token.kind !== 'end' && next && (startsOperand(next) || isOneOf(next, others))) {
    report(errors, token.at, `extraneous input '${token.text}' expecting ${wanted}`);
    advance(parser);
    return true;
  }
  report(errors, token.at, `mismatched input '${token.text}' expecting ${wanted}`);
  errors.isRecovering = true;
  skipToEnd(parser);
  return false;
}

/** Skips tokens until one can follow an operand. Always makes progress after a repeated error. */
function skipToEnd(parser: Parser): void {
  const { errors } = parser;
  if (errors.lastIndex === parser.next && peek(parser).kind !== 'end') parser.next++;
  errors.lastIndex = parser.next;
  for (let token = peek(parser); token.kind !== 'end'; token = peek(parser)) {
    if (isOneOf(token, afterOperand) || errors.ends.some((ends) => isOneOf(token, ends))) return;
    parser.next++;
  }
}

function expression(parser: Parser): Node {
  if (++parser.nesting > nestingLimit) throw tooDeep(peek(parser).at);
  const condition = logical(parser, '||', () => logical(parser, '&&', () => binary(parser, 0)));
  const question = take(parser, '?');
  let node = condition;
  if (question) {
    const whenTrue = inside(parser, [':'], () =>
      logical(parser, '||', () => logical(parser, '&&', () => binary(parser, 0))),
    );
    need(parser, ':');
    node = makeCall(question.at, '_?_:_', [condition, whenTrue, expression(parser)]);
  }
  parser.nesting--;
  return node;
}

/** Terms of a logical operator as a balanced tree, so that a long rule is not a deep one. */
function logical(parser: Parser, operator: string, term: () => Node): Node {
  const terms = [term()];
  const operators: Token[] = [];
  for (let token = take(parser, operator); token; token = take(parser, operator)) {
    operators.push(token);
    terms.push(term());
  }
  return balanced(terms, operators, [0, terms.length - 1]);
}

function balanced(terms: readonly Node[], operators: readonly Token[], [first, last]: readonly [number, number]): Node {
  const only = terms[first];
  if (first === last && only) return only;
  const middle = (first + last) >> 1;
  const operator = operators[middle] ?? end;
  return makeCall(operator.at, `_${operator.text}_`, [
    balanced(terms, operators, [first, middle]),
    balanced(terms, operators, [middle + 1, last]),
  ]);
}

function binary(parser: Parser, level: number): Node {
  const operators = levels[level];
  if (!operators) return unary(parser);
  let left = binary(parser, level + 1);
  for (let token = take(parser, ...operators); token; token = take(parser, ...operators)) {
    const name = token.text === 'in' ? '@in' : `_${token.text}_`;
    left = makeCall(token.at, name, [left, binary(parser, level + 1)]);
  }
  return left;
}

/** An even number of equal signs has no effect. A minus before a number belongs to the number. */
function unary(parser: Parser): Node {
  if (!beginsOperand(parser)) return makeIdent(peek(parser).at, '');
  for (const sign of ['!', '-']) {
    const signs: Token[] = [];
    while (!isNegativeNumber(parser, sign)) {
      const token = take(parser, sign);
      if (!token) break;
      signs.push(token);
    }
    const [first] = signs;
    if (!first) continue;
    const operand = member(parser);
    return signs.length % 2 === 0 ? operand : makeCall(first.at, `${sign}_`, [operand]);
  }
  return member(parser);
}

function isNegativeNumber(parser: Parser, sign: string): boolean {
  return sign === '-' && peek(parser).text === '-' && parser.tokens[parser.next + 1]?.kind === 'number';
}

function member(parser: Parser): Node {
  let node = primary(parser);
  for (;;) {
    const token = take(parser, '.', '[', '{');
    if (!token) return node;
    if (token.text === '.') node = selection(parser, node, token);
    else if (token.text === '[') node = index(parser, node, token);
    else node = struct(parser, node, token);
  }
}

function selection(parser: Parser, operand: Node, dot: Token): Node {
  const isOptional = takeOptional(parser, '.?') !== undefined;
  const next = peek(parser);
  if (!isOptional && !isFieldName(next)) throw noAlternative(parser.errors, dot, next);
  const { text: name, isQuoted } = fieldName(parser);
  if (isOptional) return makeCall(dot.at, '_?._', [operand, makeLiteral(dot.at, name)]);
  const open = isQuoted ? undefined : take(parser, '(');
  if (!open) return makeNode(dot.at, { kind: 'select', operand, field: name, testOnly: false });
  return call(parser, { at: open.at, name, target: operand, args: list(parser, ')') });
}

function isFieldName({ kind, text: shown }: Token): boolean {
  return kind === 'quotedName' || (kind === 'name' && !keywords.has(shown));
}

/** The error of tokens that start no alternative of the grammar, from the first to the last. */
function noAlternative({ source, isRecovering, problems }: SyntaxErrors, first: Token, last: Token): SyntaxProblem {
  if (isRecovering && problems.length > 0)
    return mismatch({ source, isRecovering, problems, ends: [], lastIndex: -1 }, last, '');
  const stop = last.kind === 'end' ? undefined : last.at + Array.from(last.text).length;
  const text = Array.from(source).slice(first.at, stop).join('');
  return new SyntaxProblem(last.at, `Syntax error: no viable alternative at input '${text}'`);
}

function fieldName(parser: Parser): { readonly text: string; readonly isQuoted: boolean } {
  const token = peek(parser);
  if (token.kind === 'quotedName') {
    if (!parser.syntax.hasQuotedNames) throw new SyntaxProblem(token.at, "unsupported syntax: '`'");
    advance(parser);
    return { text: token.text.slice(1, -1), isQuoted: true };
  }
  if (!isFieldName(token)) throw mismatch(parser.errors, token, expectedTokens(['IDENTIFIER', 'ESC_IDENTIFIER']));
  advance(parser);
  return { text: token.text, isQuoted: false };
}

function index(parser: Parser, operand: Node, open: Token): Node {
  const name = takeOptional(parser, '[?') ? '_[?_]' : '_[_]';
  if (name === '_[_]') beginsOperand(parser, '?');
  const key = inside(parser, [']'], () => expression(parser));
  need(parser, ']');
  return makeCall(open.at, name, [operand, key]);
}

function struct(parser: Parser, operand: Node, open: Token): Node {
  const name = qualifiedName(operand);
  if (name === undefined) {
    const isLast = parser.tokens[parser.next]?.kind === 'end';
    throw new SyntaxProblem(open.at, `Syntax error: ${isLast ? 'extraneous' : 'mismatched'} input '{' expecting <EOF>`);
  }
  const fields: StructField[] = [];
  while (!take(parser, '}')) {
    const first = peek(parser);
    if (!isFieldName(first) && first.text !== '?') throw mismatch(parser.errors, first, expectedTokens(fieldStarts));
    const optional = takeOptional(parser, '?') !== undefined;
    const { text } = fieldName(parser);
    const { at } = need(parser, ':');
    fields.push({ name: text, at, value: inside(parser, ['}', ','], () => expression(parser)), optional });
    if (!take(parser, ',')) {
      need(parser, '}', ',');
      break;
    }
  }
  return makeNode(open.at, { kind: 'struct', name, fields });
}

const fieldStarts = ['}', ',', '?', 'IDENTIFIER', 'ESC_IDENTIFIER'];

/** `a.b.c` as a name; undefined for other expressions. */
export function qualifiedName(node: Node): string | undefined {
  if (node.kind === 'ident') return node.name;
  if (node.kind !== 'select' || node.testOnly) return undefined;
  const parent = qualifiedName(node.operand);
  return parent === undefined ? undefined : `${parent}.${node.field}`;
}

/** Expressions up to a closing operator, separated by commas. */
function list(parser: Parser, close: string): Node[] {
  const items: Node[] = [];
  beginsOperand(parser, close);
  if (take(parser, close)) return items;
  do items.push(inside(parser, [close, ','], () => expression(parser)));
  while (take(parser, ','));
  need(parser, close);
  return items;
}

function primary(parser: Parser): Node {
  const token = peek(parser);
  const { errors } = parser;
  if (!startsOperand(token) || token.text === '!') throw mismatch(errors, token, expectedTokens(operandStarts));
  advance(parser);
  if (token.kind === 'literal' && token.value !== undefined) return makeLiteral(token.at, token.value);
  if (token.kind === 'number') return makeLiteral(token.at, numberValue(token, ''));
  if (token.kind === 'name') return named(parser, token);
  const read = openings[token.text];
  if (token.kind !== 'operator' || !read) throw mismatch(errors, token, expectedTokens(operandStarts));
  return read(parser, token);
}

/** The operators that an operand may begin with. */
const openings: Readonly<Record<string, (parser: Parser, token: Token) => Node>> = {
  '(': (parser) => {
    const inner = inside(parser, [')'], () => expression(parser));
    need(parser, ')');
    return inner;
  },
  '[': listLiteral,
  '{': mapLiteral,
  '-': (parser, token) => {
    const number = peek(parser);
    if (number.kind !== 'number') throw noAlternative(parser.errors, token, number);
    advance(parser);
    return makeLiteral(token.at, numberValue(number, '-'));
  },
  '.': (parser, dot) => {
    const token = peek(parser);
    if (token.kind !== 'name' || keywords.has(token.text)) throw noAlternative(parser.errors, dot, token);
    advance(parser);
    return named(parser, token, '.');
  },
};

const constants: ReadonlyMap<string, null | boolean> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** A name with a leading dot never means a variable of a loop. */
function named(parser: Parser, token: Token, dot = ''): Node {
  const constant = constants.get(token.text);
  if (constant !== undefined && dot === '') return makeLiteral(token.at, constant);
  if (reserved.has(token.text)) throw new SyntaxProblem(token.at, `reserved identifier: ${token.text}`);
  const open = take(parser, '(');
  if (!open) return makeIdent(token.at, dot + token.text);
  return call(parser, { at: open.at, name: dot + token.text, target: undefined, args: list(parser, ')') });
}

function call({ syntax }: Parser, parts: MacroCall): Node {
  return expandMacro(parts, syntax.macros) ?? makeCall(parts.at, parts.name, parts.args, parts.target);
}

function listLiteral(parser: Parser, open: Token): Node {
  const elements: Node[] = [];
  const optional = new Set<number>();
  beginsOperand(parser, ']', ',', '?');
  while (!take(parser, ']')) {
    if (takeOptional(parser, '?')) optional.add(elements.length);
    elements.push(inside(parser, [']', ','], () => expression(parser)));
    if (!take(parser, ',')) {
      need(parser, ']', ',');
      break;
    }
  }
  return makeNode(open.at, { kind: 'list', elements, optional });
}

function mapLiteral(parser: Parser, open: Token): Node {
  const entries: MapEntry[] = [];
  beginsOperand(parser, '}', ',', '?');
  while (!take(parser, '}')) {
    const optional = takeOptional(parser, '?') !== undefined;
    const key = inside(parser, [':'], () => expression(parser));
    need(parser, ':');
    entries.push({ key, value: inside(parser, ['}', ','], () => expression(parser)), optional });
    if (!take(parser, ',')) {
      need(parser, '}', ',');
      break;
    }
  }
  return makeNode(open.at, { kind: 'map', entries });
}
