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
} from './node.ts';
import { SyntaxProblem } from './problem.ts';
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

const expected = `{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}`;

/** Longer texts, up to the 100,000 characters of cel-go, would take too long in one turn. */
const longestText = 20_000;

/** The state of a parser. */
interface Parser {
  readonly tokens: readonly Token[];
  readonly syntax: Syntax;
  next: number;
  nesting: number;
}

/** Parses an expression, with its macros expanded. Throws SyntaxProblem. */
export function parse(source: string, syntax: Syntax): Node {
  if (source.length > longestText) {
    const why = `expression code point size exceeds limit: size: ${source.length}, limit ${longestText}`;
    throw new SyntaxProblem(0, why);
  }
  const parser: Parser = { tokens: tokensOf(source), syntax, next: 0, nesting: 0 };
  const node = expression(parser);
  const rest = peek(parser);
  if (rest.kind !== 'end') {
    throw new SyntaxProblem(rest.at, `Syntax error: extraneous input '${rest.text}' expecting <EOF>`);
  }
  return node;
}

const end: Token = { kind: 'end', text: '<EOF>', at: 0 };

function peek({ tokens, next }: Parser): Token {
  return tokens[next] ?? tokens.at(-1) ?? end;
}

/** Takes the next token if it is one of some operators or keywords. */
function take(parser: Parser, ...texts: readonly string[]): Token | undefined {
  const token = peek(parser);
  if ((token.kind !== 'operator' && token.kind !== 'name') || !texts.includes(token.text)) return undefined;
  parser.next++;
  return token;
}

/** Takes a question mark of optional values. `written` is the operator as messages show it. */
function takeOptional(parser: Parser, written: string): Token | undefined {
  const token = take(parser, '?');
  if (token && !parser.syntax.hasOptionals) throw new SyntaxProblem(token.at, `unsupported syntax '${written}'`);
  return token;
}

function need(parser: Parser, text: string): Token {
  const token = take(parser, text);
  if (token) return token;
  const found = peek(parser);
  throw new SyntaxProblem(found.at, `Syntax error: mismatched input '${found.text}' expecting '${text}'`);
}

function expression(parser: Parser): Node {
  if (++parser.nesting > nestingLimit) throw tooDeep(peek(parser).at);
  const condition = logical(parser, '||', () => logical(parser, '&&', () => binary(parser, 0)));
  const question = take(parser, '?');
  let node = condition;
  if (question) {
    const whenTrue = logical(parser, '||', () => logical(parser, '&&', () => binary(parser, 0)));
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
  const { text: name, isQuoted } = fieldName(parser);
  if (isOptional) return makeCall(dot.at, '_?._', [operand, makeLiteral(dot.at, name)]);
  const open = isQuoted ? undefined : take(parser, '(');
  if (!open) return makeNode(dot.at, { kind: 'select', operand, field: name, testOnly: false });
  return call(parser, { at: open.at, name, target: operand, args: list(parser, ')') });
}

function fieldName(parser: Parser): { readonly text: string; readonly isQuoted: boolean } {
  const token = peek(parser);
  if (token.kind === 'quotedName') {
    if (!parser.syntax.hasQuotedNames) throw new SyntaxProblem(token.at, "unsupported syntax: '`'");
    parser.next++;
    return { text: token.text.slice(1, -1), isQuoted: true };
  }
  if (token.kind !== 'name' || keywords.has(token.text)) {
    throw new SyntaxProblem(token.at, `Syntax error: mismatched input '${token.text}' expecting IDENTIFIER`);
  }
  parser.next++;
  return { text: token.text, isQuoted: false };
}

function index(parser: Parser, operand: Node, open: Token): Node {
  const name = takeOptional(parser, '[?') ? '_[?_]' : '_[_]';
  const key = expression(parser);
  need(parser, ']');
  return makeCall(open.at, name, [operand, key]);
}

function struct(parser: Parser, operand: Node, open: Token): Node {
  const name = qualifiedName(operand);
  if (name === undefined) {
    throw new SyntaxProblem(open.at, `Syntax error: extraneous input '{' expecting <EOF>`);
  }
  const fields: StructField[] = [];
  while (!take(parser, '}')) {
    const optional = takeOptional(parser, '?') !== undefined;
    const { text } = fieldName(parser);
    const { at } = need(parser, ':');
    fields.push({ name: text, at, value: expression(parser), optional });
    if (!take(parser, ',')) {
      need(parser, '}');
      break;
    }
  }
  return makeNode(open.at, { kind: 'struct', name, fields });
}

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
  if (take(parser, close)) return items;
  do items.push(expression(parser));
  while (take(parser, ','));
  need(parser, close);
  return items;
}

function primary(parser: Parser): Node {
  const token = peek(parser);
  parser.next++;
  if (token.kind === 'literal' && token.value !== undefined) return makeLiteral(token.at, token.value);
  if (token.kind === 'number') return makeLiteral(token.at, numberValue(token, ''));
  if (token.kind === 'name') return named(parser, token);
  const read = openings[token.text];
  if (token.kind !== 'operator' || !read) {
    throw new SyntaxProblem(token.at, `Syntax error: mismatched input '${token.text}' expecting ${expected}`);
  }
  return read(parser, token);
}

/** The operators that an operand may begin with. */
const openings: Readonly<Record<string, (parser: Parser, token: Token) => Node>> = {
  '(': (parser) => {
    const inner = expression(parser);
    need(parser, ')');
    return inner;
  },
  '[': listLiteral,
  '{': mapLiteral,
  '-': (parser, token) => {
    const number = peek(parser);
    if (number.kind !== 'number') {
      throw new SyntaxProblem(number.at, `Syntax error: mismatched input '${number.text}' expecting ${expected}`);
    }
    parser.next++;
    return makeLiteral(token.at, numberValue(number, '-'));
  },
  '.': (parser) => {
    const token = peek(parser);
    if (token.kind !== 'name') {
      throw new SyntaxProblem(token.at, `Syntax error: mismatched input '${token.text}' expecting IDENTIFIER`);
    }
    parser.next++;
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
  if (keywords.has(token.text)) {
    throw new SyntaxProblem(token.at, `Syntax error: mismatched input '${token.text}' expecting ${expected}`);
  }
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
  while (!take(parser, ']')) {
    if (takeOptional(parser, '?')) optional.add(elements.length);
    elements.push(expression(parser));
    if (!take(parser, ',')) {
      need(parser, ']');
      break;
    }
  }
  return makeNode(open.at, { kind: 'list', elements, optional });
}

function mapLiteral(parser: Parser, open: Token): Node {
  const entries: MapEntry[] = [];
  while (!take(parser, '}')) {
    const optional = takeOptional(parser, '?') !== undefined;
    const key = expression(parser);
    need(parser, ':');
    entries.push({ key, value: expression(parser), optional });
    if (!take(parser, ',')) {
      need(parser, '}');
      break;
    }
  }
  return makeNode(open.at, { kind: 'map', entries });
}
