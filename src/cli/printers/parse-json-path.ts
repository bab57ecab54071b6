import { CliError } from '../cli-error.ts';

/** A step of a path, or a value in it. */
export type PathStep =
  | { readonly type: 'field'; readonly name: string }
  | {
      readonly type: 'slice';
      readonly from: number | undefined;
      readonly to: number | undefined;
      readonly step: number;
    }
  | { readonly type: 'index'; readonly at: number }
  | { readonly type: 'all' }
  | { readonly type: 'below' }
  | { readonly type: 'union'; readonly members: readonly (readonly PathStep[])[] }
  | { readonly type: 'literal'; readonly value: string | number | boolean }
  | PathFilter;

/** `[?(@.left == right)]`; without an operator the left path must exist. */
export interface PathFilter {
  readonly type: 'filter';
  readonly left: readonly PathStep[];
  readonly operator: string;
  readonly right: readonly PathStep[];
}

/** A part of a JSONPath template. */
export type PathPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'path'; readonly steps: readonly PathStep[] }
  | { readonly type: 'range'; readonly steps: readonly PathStep[]; readonly body: readonly PathPart[] };

/**
 * Parses a JSONPath template of kubectl: text with expressions in braces
 * (`{.items[*].metadata.name}`), texts in quotes, `range` and `end`. Throws CliError.
 */
export function parseJsonPath(template: string): PathPart[] {
  const tokens = tokensOf(template);
  const parts = partsUntilEnd(tokens, template, false);
  if (tokens.length > 0) throw invalid(template, 'an {end} has no {range}');
  return parts;
}

/** Parses one path: `.metadata.name`, `metadata.name` or `{.metadata.name}`. */
export function parsePath(text: string): PathStep[] {
  const bare = /^\{(.*)\}$/.exec(text)?.[1] ?? text;
  if (/[{}]/.test(bare)) throw invalid(text, 'use one expression, such as .metadata.name');
  return stepsOf(/^[.[$@]/.test(bare) ? bare : `.${bare}`, text);
}

type Token = { readonly text: string } | { readonly action: string };

/** Texts and what is in braces; a brace in quotes is text. */
function tokensOf(template: string): Token[] {
  const tokens: Token[] = [];
  for (let rest = template; rest !== ''; ) {
    const open = rest.indexOf('{');
    const text = open < 0 ? rest : rest.slice(0, open);
    if (text !== '') tokens.push({ text });
    if (open < 0) break;
    const end = endOf(rest, open + 1, '}');
    if (end < 0) throw invalid(template, 'a brace is not closed');
    tokens.push({ action: rest.slice(open + 1, end) });
    rest = rest.slice(end + 1);
  }
  return tokens;
}

/** The index of a closing character outside of quotes and brackets; -1 if there is none. */
function endOf(text: string, from: number, close: string): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '\\') at++;
    else if (character === close && depth === 0) return at;
    else if (character === '"' || character === "'") at = quoteEnd(text, at);
    else if ('[('.includes(character)) depth++;
    else if ('])'.includes(character)) depth--;
  }
  return -1;
}

function quoteEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== text[start]) at += text[at] === '\\' ? 2 : 1;
  return at;
}

function partsUntilEnd(tokens: Token[], template: string, inRange: boolean): PathPart[] {
  const parts: PathPart[] = [];
  for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
    if ('text' in token) {
      parts.push({ type: 'text', text: token.text });
      continue;
    }
    const action = token.action.trim();
    const range = /^range(?=[\s.[$@])(.*)$/s.exec(action)?.[1];
    if (action === 'end' && inRange) return parts;
    if (action === 'end') throw invalid(template, 'not in range, nothing to end');
    const steps = stepsOf(range ?? action, template);
    if (range === undefined) parts.push({ type: 'path', steps });
    else parts.push({ type: 'range', steps, body: partsUntilEnd(tokens, template, true) });
  }
  return parts;
}

const field = /^\.((?:\\.|[^\s.,[\]$@{}\\])+)/s;
const numberText = /^[-+]?\d+(?:\.\d+)?/;
const word = /^[A-Za-z_]\w*/;

function stepsOf(text: string, template: string): PathStep[] {
  const steps: PathStep[] = [];
  for (let rest = text; rest !== ''; ) {
    const { step, length } = nextStep(rest, template);
    if (step) steps.push(step);
    rest = rest.slice(length);
  }
  return steps;
}

interface FoundStep {
  /**
   * The step; undefined for text that stands for the current value: spaces, `$`, `@` and a lone
   * dot.
   */
  readonly step?: PathStep;
  readonly length: number;
}

function nextStep(text: string, template: string): FoundStep {
  const first = text[0] ?? '';
  if (/[\s$@]/.test(first)) return { length: 1 };
  if (first === '"' || first === "'") {
    const end = quoteEnd(text, 0);
    if (end >= text.length) throw invalid(template, 'a quote is not closed');
    return { step: { type: 'literal', value: unquote(text.slice(1, end)) }, length: end + 1 };
  }
  if (text.startsWith('..')) return { step: { type: 'below' }, length: /^\.\.[[]/.test(text) ? 2 : 1 };
  const name = field.exec(text);
  if (name) {
    const [all, raw = ''] = name;
    return {
      step: raw === '*' ? { type: 'all' } : { type: 'field', name: raw.replaceAll(/\\(.)/gs, '$1') },
      length: all.length,
    };
  }
  if (first === '.') return { length: 1 };
  if (first === '*') return { step: { type: 'all' }, length: 1 };
  if (first === '[') {
    const end = endOf(text, 1, ']');
    if (end < 0) throw invalid(template, 'unterminated array');
    return { step: bracketStep(text.slice(1, end).trim(), template), length: end + 1 };
  }
  const number = numberText.exec(text)?.[0];
  if (number) return { step: { type: 'literal', value: Number(number) }, length: number.length };
  const named = word.exec(text)?.[0] ?? '';
  if (named === 'true' || named === 'false')
    return { step: { type: 'literal', value: named === 'true' }, length: named.length };
  throw invalid(template, named ? `unrecognized identifier ${named}` : `unrecognized character in action: ${first}`);
}

const quotedKey = /^'([^']*)'$/s;
const index = /^-?\d+$/;
const slice = /^(-?\d*):(-?\d*)(?::(-?\d*))?$/;

function bracketStep(text: string, template: string): PathStep {
  if (text === '*') return { type: 'all' };
  const key = quotedKey.exec(text)?.[1];
  if (key !== undefined) return { type: 'field', name: key.replaceAll(/\\(.)/gs, '$1') };
  if (index.test(text)) return { type: 'index', at: Number(text) };
  const range = slice.exec(text);
  if (range) {
    const [from, to, step] = range.slice(1).map((each) => (each ? Number(each) : undefined));
    return { type: 'slice', from, to, step: step ?? 1 };
  }
  if (/^\?\(.*\)$/s.test(text)) return filterStep(text.slice(2, -1), template);
  const comma = endOf(text, 0, ',');
  if (comma < 0) throw invalid(template, `invalid array index ${text}`);
  const members = [text.slice(0, comma), text.slice(comma + 1)].map((part) => bracketStep(part.trim(), template));
  return { type: 'union', members: members.map((member) => [member]) };
}

function filterStep(text: string, template: string): PathStep {
  const operatorAt = ['=', '!', '<', '>'].map((sign) => endOf(text, 0, sign)).filter((at) => at >= 0);
  if (operatorAt.length === 0) return { type: 'filter', left: stepsOf(text, template), operator: 'exists', right: [] };
  const at = Math.min(...operatorAt);
  const operator = /^[=!<>]+/.exec(text.slice(at))?.[0] ?? '';
  if (!['==', '!=', '<', '<=', '>', '>='].includes(operator))
    throw invalid(template, `unrecognized filter operator ${operator}`);
  const right = stepsOf(text.slice(at + operator.length), template);
  return { type: 'filter', left: stepsOf(text.slice(0, at), template), operator, right };
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\u0007' };

function unquote(text: string): string {
  return text.replaceAll(/\\(?:u([\da-fA-F]{4})|(.))/gs, (_, code: string | undefined, character: string) =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : (escapes[character] ?? character),
  );
}

function invalid(template: string, why: string): CliError {
  return new CliError(`error parsing jsonpath ${template}, ${why}`);
}
