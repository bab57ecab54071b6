import {
  CelList,
  CelMap,
  type CelValue,
  Duration,
  Failure,
  Timestamp,
  TypeValue,
  typeNameOf,
  Uint,
} from '../values/cel-value.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { durationText, formatDouble } from './conversions.ts';
import { failures } from './failures.ts';
import { readClause } from './format-clause.ts';
import { keptWork, spend, type WorkMeter } from '../values/work-meter.ts';

/** The most digits after a point, which limits the work of a clause. */
const mostDigits = 1000;

/**
 * Replaces the clauses of a text, such as `%s` and `%.3f`, by values. The text of each value is
 * taken from the meter before it is made.
 */
export function formatText(meter: WorkMeter, text: string, values: CelList): string | Failure {
  const pieces: string[] = [];
  let [start, next] = [0, 0];
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', start)) {
    pieces.push(text.slice(start, at));
    if (text[at + 1] === '%') {
      pieces.push('%');
      start = at + 2;
      continue;
    }
    if (next >= values.size) return new Failure(`index ${next} out of range`);
    if (at + 1 >= text.length) return new Failure('unexpected end of string');
    const clause = readClause(text, at);
    if ('problem' in clause) return new Failure(`could not parse formatting clause: ${clause.problem}`);
    const shown = clauseText(meter, clause, values.at(next++));
    if (shown instanceof Failure) return shown;
    pieces.push(shown);
    start = at + clause.length;
  }
  return pieces.join('') + text.slice(start);
}

function clauseText(
  meter: WorkMeter,
  { verb, precision }: { readonly verb: string; readonly precision: string | undefined },
  value: CelValue,
): string | Failure {
  const digits = Number(precision ?? 6);
  if (digits > mostDigits) return new Failure(`precision must be at most ${mostDigits}`);
  return verbs[verb]?.(value, digits, meter) ?? failures.noOverload;
}

type Verb = (value: CelValue, digits: number, meter: WorkMeter) => string | Failure;

const verbs: Readonly<Record<string, Verb>> = {
  s: (value, _, meter) => shownText(meter, value),
  d: (value) => integerText(value, 10, 'decimal clause can only be used on integers'),
  f: (value, digits) => realText(value, 'fixed-point', (number) => grouped(fixed(number, digits))),
  e: (value, digits) => realText(value, 'scientific', scientific, digits),
  b: (value) => (typeof value === 'boolean' ? (value ? '1' : '0') : integerText(value, 2, binaryRule)),
  o: (value) => integerText(value, 8, 'octal clause can only be used on integers'),
  x: (value, _, meter) => hexText(meter, value),
  X: (value, _, meter) => {
    const text = hexText(meter, value);
    return text instanceof Failure ? text : text.toUpperCase();
  },
};

const binaryRule = 'only integers and bools can be formatted as binary';
const hexRule = 'only integers, byte buffers, and strings can be formatted as hex';

function wrongType(rule: string, value: CelValue): Failure {
  return new Failure(`error during formatting: ${rule}, was given ${typeNameOf(value)}`);
}

function integerOf(value: CelValue): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return value instanceof Uint ? value.value : undefined;
}

function integerText(value: CelValue, base: number, rule: string): string | Failure {
  return integerOf(value)?.toString(base) ?? wrongType(rule, value);
}

function hexText(meter: WorkMeter, value: CelValue): string | Failure {
  if (typeof value === 'string' || value instanceof Uint8Array) {
    // Three bytes of UTF-8 for a unit at most, and two digits for each.
    spend(meter, value.length * (typeof value === 'string' ? 6 : 2));
    return Buffer.from(value).toString('hex');
  }
  return integerText(value, 16, hexRule);
}

/** Formats a double; `width` is the least length of the text. */
function realText(value: CelValue, what: string, format: (value: number) => string, width = 0): string | Failure {
  const number = typeof value === 'number' ? value : specialNames.get(value);
  if (number === undefined) return wrongType(`${what} clause can only be used on doubles`, value);
  const text = Number.isFinite(number) ? format(number) : special(number);
  return text.padStart(width);
}

function special(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '∞' : '-∞';
}

const specialNames: ReadonlyMap<CelValue, number> = new Map(
  [NaN, Infinity, -Infinity].map((number) => [String(number), number]),
);

/** The most digits of `toFixed` and `toExponential`. */
const mostGiven = 100;
const tie = /^\.?50*$/;

/**
 * Corrects a rounded number to round half to even. `exact` has all digits, `cut` is the length of
 * the kept part, `rounded` is the number rounded half up.
 */
function roundToEven(exact: string, cut: number, rounded: string): string {
  const isTie = tie.test(exact.slice(cut));
  return isTie && /[13579]\.?$/.test(rounded) ? exact.slice(0, cut).replace(/\.$/, '') : rounded;
}

/** Formats a number with a fixed count of decimals. */
function fixed(value: number, count: number): string {
  const digits = Math.min(count, mostGiven);
  const size = Math.abs(value);
  const sign = value < 0 ? '-' : '';
  if (size >= 1e21) return `${sign}${BigInt(size)}${digits > 0 ? `.${'0'.repeat(count)}` : ''}`;
  const exact = size.toFixed(mostGiven);
  const text = roundToEven(exact, exact.length - mostGiven + digits, size.toFixed(digits));
  return /[1-9]/.test(text) ? `${sign}${text}${'0'.repeat(count - digits)}` : `${text}${'0'.repeat(count - digits)}`;
}

/** Inserts a comma between groups of three digits before the decimal point. */
function grouped(text: string): string {
  const [whole = '', ...fraction] = text.split('.');
  return [whole.replaceAll(/\d(?=(?:\d{3})+$)/g, '$&,'), ...fraction].join('.');
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const scientificDigits = 6;

/**
 * Formats a number with an exponent. As in cel-go, the precision of the clause only sets the width.
 */
function scientific(value: number): string {
  const [exact = '', power = ''] = Math.abs(value).toExponential(mostGiven).split('e');
  const [rounded = '', exponent = power] = Math.abs(value).toExponential(scientificDigits).split('e');
  const mantissa = exponent === power ? roundToEven(exact, 2 + scientificDigits, rounded) : rounded;
  const size = exponent.slice(1).padStart(2, '0');
  const shown = Array.from(size, (digit) => superscripts[Number(digit)]).join('');
  return `${value < 0 ? '-' : ''}${mantissa}×10${exponent.startsWith('-') ? '⁻' : ''}${shown}`;
}

const stringRule =
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';

/** The string of a value. */
function shownText(meter: WorkMeter, value: CelValue): string | Failure {
  spend(meter, keptWork);
  if (typeof value === 'string' || value instanceof Uint8Array) spend(meter, value.length);
  if (typeof value === 'string') return value;
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return formatDouble(value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Timestamp) return formatTimestamp(value.nanos);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof CelList) return listText(meter, value);
  if (value instanceof CelMap) return mapText(meter, value);
  return integerOf(value)?.toString() ?? wrongType(stringRule, value);
}

/** The string of a value inside a list or map. */
function innerText(meter: WorkMeter, value: CelValue): string | Failure {
  const text =
    typeof value === 'number' && Number.isFinite(value)
      ? fixed(value, scientificDigits)
      : typeof value === 'number' && !Number.isNaN(value)
        ? special(value)
        : shownText(meter, value);
  if (text instanceof Failure) return text;
  if (typeof value === 'string' || (typeof value === 'number' && !Number.isFinite(value))) return JSON.stringify(text);
  if (value instanceof Uint8Array) return `b${JSON.stringify(text)}`;
  if (value instanceof Duration) return `duration("${text}")`;
  return value instanceof Timestamp ? `timestamp("${text}")` : text;
}

function mapText(meter: WorkMeter, map: CelMap): string | Failure {
  const entries = map
    .keys(meter)
    .map((key) => ({ key: innerText(meter, key), value: innerText(meter, map.get(key) ?? null) }));
  const texts: { readonly key: string; readonly value: string }[] = [];
  for (const { key, value } of entries) {
    if (key instanceof Failure) return key;
    if (value instanceof Failure) return value;
    texts.push({ key, value });
  }
  const sorted = texts.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return `{${sorted.map(({ key, value }) => `${key}:${value}`).join(', ')}}`;
}

function listText(meter: WorkMeter, list: CelList): string | Failure {
  const texts: string[] = [];
  for (let index = 0; index < list.size; index++) {
    const text = innerText(meter, list.at(index));
    if (text instanceof Failure) return text;
    texts.push(text);
  }
  return `[${texts.join(', ')}]`;
}
