import { badRequest } from '../status/status-error.ts';
import type { LabelOperator } from './label-demand.ts';
import { checkLabelRequirement, type LabelRequirement, type Labels, matchRequirements } from './label-requirement.ts';

/** Limit of a selector in bytes. */
const textLimit = 64 * 1024;

/** Operators and punctuation, or words: all other text up to a space or sign. */
const tokenPattern = /[ \t\r\n]*(?:(==|!=|[=!(),<>])|([^ \t\r\n=!(),<>]+))?/y;

interface Token {
  readonly type: 'sign' | 'word' | 'end';
  readonly text: string;
}

/** Splits a selector into tokens; the last one is `end`. */
function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.length) {
    const [, sign, word] = tokenPattern.exec(text) ?? [];
    if (sign !== undefined) tokens.push({ type: 'sign', text: sign });
    else if (word !== undefined) tokens.push({ type: 'word', text: word });
  }
  tokens.push(end);
  return tokens;
}

const end: Token = { type: 'end', text: '' };

/** The tokens and the current position. */
interface Cursor {
  readonly tokens: readonly Token[];
  at: number;
}

function peek({ tokens, at }: Cursor): Token {
  return tokens[at] ?? end;
}

function next(cursor: Cursor): Token {
  const token = peek(cursor);
  cursor.at++;
  return token;
}

function isSign(token: Token, sign: string): boolean {
  return token.type === 'sign' && token.text === sign;
}

function takeSign(cursor: Cursor, sign: string): boolean {
  const taken = isSign(peek(cursor), sign);
  if (taken) cursor.at++;
  return taken;
}

function refuseRequirement(why: string): never {
  throw badRequest(`unable to parse requirement: ${why}`);
}

function unexpected(found: Token, expected: string): never {
  refuseRequirement(`found '${found.text}', expected: ${expected}`);
}

function checked(requirement: LabelRequirement): LabelRequirement {
  const error = checkLabelRequirement(requirement);
  return error === undefined ? requirement : refuseRequirement(error);
}

const operators: ReadonlyMap<string, LabelOperator> = new Map(
  (['=', '==', '!=', 'in', 'notin', '<', '>'] as const).map((operator) => [operator, operator]),
);

function endsRequirement(cursor: Cursor): boolean {
  return peek(cursor).type === 'end' || isSign(peek(cursor), ',');
}

/** Parses the values in parentheses; `()` is one empty value. */
function parseValueList(cursor: Cursor): readonly string[] {
  const open = next(cursor);
  if (!isSign(open, '(')) refuseRequirement(`found '${open.text}' expected: '('`);
  const first = peek(cursor);
  if (takeSign(cursor, ')')) return [''];
  if (first.type !== 'word' && !isSign(first, ',')) unexpected(first, "',', ')' or identifier");
  const values = new Set<string>();
  while (!takeSign(cursor, ')')) parseListItem(cursor, values);
  return [...values];
}

/**
 * Parses a value or a comma and checks the token after it. A comma next to another comma or a
 * parenthesis stands for an empty value. As in Kubernetes two commas are consumed together and need
 * an item after them: `(a,)` and `(a,,,)` are valid, `(a,,)` is not.
 */
function parseListItem(cursor: Cursor, values: Set<string>): void {
  const token = next(cursor);
  const following = peek(cursor);
  if (token.type === 'word') {
    values.add(token.text);
    if (!isSign(following, ',') && !isSign(following, ')')) unexpected(following, "',' or ')'");
    return;
  }
  if (!isSign(token, ',')) unexpected(token, "',', or identifier");
  if (values.size === 0 || isSign(following, ')')) values.add('');
  if (!takeSign(cursor, ',')) return;
  values.add('');
  if (isSign(peek(cursor), ')')) unexpected(peek(cursor), "',', or identifier");
}

function parseExactValue(cursor: Cursor): readonly string[] {
  if (endsRequirement(cursor)) return [''];
  const token = next(cursor);
  return token.type === 'word' ? [token.text] : unexpected(token, 'identifier');
}

function parseOperator(cursor: Cursor): LabelOperator {
  const token = next(cursor);
  return operators.get(token.text) ?? unexpected(token, "'=', '!=', '==', 'in', notin'");
}

function parseRequirement(cursor: Cursor): LabelRequirement {
  const negated = isSign(peek(cursor), '!');
  if (negated) next(cursor);
  const key = next(cursor);
  if (key.type !== 'word') unexpected(key, 'identifier');
  // The key is validated before the rest is parsed, so that its error is reported first.
  const bare = checked({ key: key.text, operator: negated ? '!' : 'exists', values: [] });
  if (negated || endsRequirement(cursor)) return bare;
  const operator = parseOperator(cursor);
  const list = operator === 'in' || operator === 'notin';
  return checked({ key: key.text, operator, values: list ? parseValueList(cursor) : parseExactValue(cursor) });
}

function startsRequirement(token: Token): boolean {
  return token.type === 'word' || isSign(token, '!');
}

function parseRequirements(text: string): readonly LabelRequirement[] {
  const cursor: Cursor = { tokens: tokenize(text), at: 0 };
  const requirements: LabelRequirement[] = [];
  const start = peek(cursor);
  if (start.type === 'end') return requirements;
  if (!startsRequirement(start)) {
    throw badRequest(`found '${start.text}', expected: !, identifier, or 'end of string'`);
  }
  for (;;) {
    requirements.push(parseRequirement(cursor));
    const separator = next(cursor);
    if (separator.type === 'end') return requirements;
    if (!isSign(separator, ',')) throw badRequest(`found '${separator.text}', expected: ',' or 'end of string'`);
    const following = peek(cursor);
    if (!startsRequirement(following)) {
      throw badRequest(`found '${following.text}', expected: identifier after ','`);
    }
  }
}

/**
 * Parses a label selector (`a=b,c in (d,e),!f`) in time linear in its length. Throws 400 for a
 * malformed one.
 */
export function parseLabelRequirements(text: string): readonly LabelRequirement[] {
  if (Buffer.byteLength(text) > textLimit) {
    throw badRequest(`unable to parse requirement: a label selector must have at most ${textLimit} bytes`);
  }
  return parseRequirements(text);
}

/**
 * Compiles a label selector to a predicate over labels. An empty selector is always true. Throws
 * as `parseLabelRequirements`.
 */
export function parseLabelSelector(text: string): (labels: Labels) => boolean {
  return matchRequirements(parseLabelRequirements(text));
}
