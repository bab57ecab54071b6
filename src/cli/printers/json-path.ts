import { getOwn, isJsonObject, type JsonValue } from '../../meta/json-value.ts';
import { CliError } from '../cli-error.ts';
import { goText } from '../../meta/go-value.ts';
import { compactJson } from './json.ts';
import type { PathFilter, PathPart, PathStep } from './parse-json-path.ts';

/** How a path treats what an object lacks. */
export interface PathRules {
  /** False: a missing field is an error. */
  readonly allowMissing: boolean;
}

/** Formats an object by a template: the results of an expression are separated by spaces. */
export function pathText(parts: readonly PathPart[], value: JsonValue, rules: PathRules): string {
  return pathResults(parts, value, rules)
    .map((results) => results.map(resultText).join(' '))
    .join('');
}

/** The results of each expression of a template; a text is a result too. */
export function pathResults(parts: readonly PathPart[], value: JsonValue, rules: PathRules): JsonValue[][] {
  return parts.flatMap((part): JsonValue[][] => {
    if (part.type === 'text') return [[part.text]];
    const results = followPath(part.steps, value, rules);
    if (part.type === 'path') return [results];
    return results.flatMap((result) => pathResults(part.body, result, rules));
  });
}

/** The values at a path of an object, in order. */
export function followPath(steps: readonly PathStep[], value: JsonValue, rules: PathRules): JsonValue[] {
  let found = [value];
  for (const step of steps) found = found.flatMap((each) => follow(step, each, rules));
  return found;
}

function resultText(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? compactJson(value) : goText(value);
}

function follow(step: PathStep, value: JsonValue, rules: PathRules): JsonValue[] {
  switch (step.type) {
    case 'literal':
      return [step.value];
    case 'field':
      return fieldOf(step.name, value, rules);
    case 'all':
      return membersOf(value);
    case 'below':
      return withAllBelow(value);
    case 'index':
      return elementOf(step.at, value);
    case 'slice':
      return sliceOf(step, value);
    case 'union':
      return step.members.flatMap((steps) => followPath(steps, value, rules));
    case 'filter':
    default:
      return membersOf(value).filter((member) => passes(step, member, rules));
  }
}

function fieldOf(name: string, value: JsonValue, rules: PathRules): JsonValue[] {
  const found = isJsonObject(value) ? getOwn(value, name) : undefined;
  if (found !== undefined) return [found];
  if (rules.allowMissing) return [];
  throw new CliError(`${name} is not found`, { hint: '--allow-missing-template-keys prints nothing for it' });
}

function membersOf(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value)) return [];
  return Object.keys(value)
    .toSorted()
    .map((key) => value[key] ?? null);
}

/** A value, and the values of all its fields and items at any depth. */
function withAllBelow(value: JsonValue): JsonValue[] {
  return [value, ...membersOf(value).flatMap((member) => (typeof member === 'object' ? withAllBelow(member) : []))];
}

function elementOf(at: number, value: JsonValue): JsonValue[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw new CliError('a number in brackets needs a list, and the value is none');
  const found = value.at(at);
  if (found !== undefined) return [found];
  throw new CliError(`array index out of bounds: index ${at}, length ${value.length}`);
}

function sliceOf({ from, to, step }: PathStep & { readonly type: 'slice' }, value: JsonValue): JsonValue[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw new CliError('a number in brackets needs a list, and the value is none');
  if (step <= 0) throw new CliError('step must be > 0');
  return value.slice(from, to).filter((_, index) => index % step === 0);
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

function passes({ left, operator, right }: PathFilter, member: JsonValue, rules: PathRules): boolean {
  // An absent field fails the test of its member only.
  const [one] = followPath(left, member, { ...rules, allowMissing: true });
  if (operator === 'exists') return one !== undefined;
  const [other] = followPath(right, member, { ...rules, allowMissing: true });
  if (one === undefined || other === undefined) return false;
  const order = compare(one, other);
  return Number.isNaN(order) ? operator === '!=' : (comparisons[operator]?.(order) ?? false);
}

/** Negative, zero or positive; not a number for values of different types. */
function compare(one: JsonValue, other: JsonValue): number {
  const isNumber = [one, other].map((each) => typeof each === 'number' || typeof each === 'bigint');
  if (isNumber[0] && isNumber[1]) return Number(one) - Number(other);
  if (typeof one !== typeof other || typeof one === 'object' || typeof other === 'object') return Number.NaN;
  const [a, b] = [String(one), String(other)];
  return a === b ? 0 : a < b ? -1 : 1;
}
