import { getOwn, isJsonObject, type JsonValue } from '../../meta/json-value.ts';
import { CliError } from '../cli-error.ts';
import { formatGo } from './format-go.ts';
import { goFloat, goText } from '../../meta/go-value.ts';

/** A value in a template; a bigint is an integer, a number a float as in Go, undefined no value. */
export type TemplateValue = JsonValue | undefined;

type TemplateFunction = (...args: readonly TemplateValue[]) => TemplateValue;

/** The text of a value in the output of a template. */
export function templateText(value: TemplateValue): string {
  return value === undefined || value === null ? '<no value>' : goText(value, goFloat);
}

/** Reports whether a value is neither false nor zero nor empty. */
export function isTrue(value: TemplateValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** The functions of templates by name, besides `and` and `or`. */
export const templateFunctions: Readonly<Record<string, TemplateFunction>> = {
  not: (value) => !isTrue(value),
  len: (value) => BigInt(lengthOf(value)),
  index: (value, ...keys) => keys.reduce(elementOf, value),
  slice: (value, ...bounds) => partOf(value, bounds),
  exists: (value, ...keys) => exists(value, keys),
  eq: (one, ...others) => others.some((other) => compare(one, other) === 0),
  ne: (one, other) => compare(one, other) !== 0,
  lt: (one, other) => ordered(one, other) < 0,
  le: (one, other) => ordered(one, other) <= 0,
  gt: (one, other) => ordered(one, other) > 0,
  ge: (one, other) => ordered(one, other) >= 0,
  print: (...values) => printed(values),
  println: (...values) => `${values.map(argumentText).join(' ')}\n`,
  printf: (format, ...values) => formatGo(argumentText(format), values),
  html: (...values) => printed(values).replaceAll(/[&<>"'\0]/g, (character) => htmlEscapes[character] ?? ''),
  // oxlint-disable-next-line no-control-regex -- they are escaped
  js: (...values) => printed(values).replaceAll(/[\\'"<>&=\u0000-\u001f]/g, scriptEscape),
  urlquery: (...values) =>
    encodeURIComponent(printed(values))
      .replaceAll('%20', '+')
      .replaceAll(/[!'()*]/g, percent),
  base64decode: (text) => Buffer.from(argumentText(text), 'base64').toString('utf8'),
};

const htmlEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
  '\0': '\ufffd',
};

function scriptEscape(character: string): string {
  if ('\\\'"'.includes(character)) return `\\${character}`;
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function argumentText(value: TemplateValue): string {
  return goText(value ?? null, goFloat);
}

/** Go puts a space between two operands of which neither is a string. */
function printed(values: readonly TemplateValue[]): string {
  return values
    .map((value, index) => {
      const before = values[index - 1];
      const isApart = index > 0 && typeof value !== 'string' && typeof before !== 'string';
      return (isApart ? ' ' : '') + argumentText(value);
    })
    .join('');
}

function lengthOf(value: TemplateValue): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Array.isArray(value)) return value.length;
  if (isJsonObject(value)) return Object.keys(value).length;
  throw new CliError(`error executing template: len of ${argumentText(value)}, which has no length`);
}

function elementOf(value: TemplateValue, key: TemplateValue): TemplateValue {
  if (Array.isArray(value)) {
    const found = value[Number(key)];
    if (found !== undefined) return found;
    throw new CliError(`error executing template: index out of range: ${argumentText(key)}`);
  }
  if (isJsonObject(value)) return getOwn(value, argumentText(key));
  throw new CliError(`error executing template: index of ${argumentText(value)}, which has no elements`);
}

function partOf(value: TemplateValue, [from, to]: readonly TemplateValue[]): TemplateValue {
  const bounds = [Number(from ?? 0), to === undefined ? undefined : Number(to)] as const;
  if (typeof value === 'string')
    return Buffer.from(value)
      .subarray(...bounds)
      .toString('utf8');
  if (Array.isArray(value)) return value.slice(...bounds);
  throw new CliError(`error executing template: slice of ${argumentText(value)}, which has no elements`);
}

function exists(value: TemplateValue, keys: readonly TemplateValue[]): boolean {
  let found = value;
  for (const key of keys) {
    found = Array.isArray(found)
      ? found[Number(key)]
      : isJsonObject(found)
        ? getOwn(found, argumentText(key))
        : undefined;
    if (found === undefined) return false;
  }
  return true;
}

/** Negative, zero or positive; not a number for values of different types. */
function compare(one: TemplateValue, other: TemplateValue): number {
  if (isNumber(one) && isNumber(other)) return Number(one) - Number(other);
  if (one === undefined || one === null) return other === undefined || other === null ? 0 : Number.NaN;
  if (typeof one !== typeof other) return Number.NaN;
  const [a, b] = [argumentText(one), argumentText(other)];
  return a === b ? 0 : a < b ? -1 : 1;
}

function isNumber(value: TemplateValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function ordered(one: TemplateValue, other: TemplateValue): number {
  const order = compare(one, other);
  if (!Number.isNaN(order)) return order;
  throw new CliError(`error executing template: ${argumentText(one)} and ${argumentText(other)} cannot be compared`);
}
