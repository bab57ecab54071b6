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
import { keptWork, spend, type WorkMeter } from '../values/work-meter.ts';

const clause = /%(?:\.(\d+))?(.)?/gsu;

/** The most digits after a point, which limits the work of a clause. */
const mostDigits = 1000;

/**
 * Replaces the clauses of a text, such as `%s` and `%.3f`, by values. The text of each value is
 * taken from the meter before it is made.
 */
export function formatText(meter: WorkMeter, text: string, values: CelList): string | Failure {
  let next = 0;
  let failure: Failure | undefined;
  const result = text.replaceAll(clause, (whole, precision: string | undefined, verb: string | undefined) => {
    if (whole === '%%') return '%';
    const value = next < values.size ? values.at(next) : undefined;
    const shown = clauseText(meter, { verb: verb ?? '', precision, value }, next++);
    if (!(shown instanceof Failure)) return shown;
    failure ??= shown;
    return '';
  });
  return failure ?? result;
}

interface Clause {
  readonly verb: string;
  readonly precision: string | undefined;
  readonly value: CelValue | undefined;
}

function clauseText(meter: WorkMeter, { verb, precision, value }: Clause, index: number): string | Failure {
  const format = verbs[verb];
  if (!format) return new Failure(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
  const digits = Number(precision ?? 6);
  if (digits > mostDigits) return new Failure(`precision must be at most ${mostDigits}`);
  return value === undefined ? new Failure(`index ${index} out of range`) : format(value, digits, meter);
}

const verbs: Readonly<Record<string, (value: CelValue, digits: number, meter: WorkMeter) => string | Failure>> = {
  s: (value, _, meter) => textOf(meter, value),
  d: decimalText,
  f: (value, digits) => realText(value, 'fixed-point', (number) => fixed(number, digits)),
  e: (value, digits) => realText(value, 'scientific', (number) => scientific(number, digits)),
  b: (value) => (typeof value === 'boolean' ? (value ? '1' : '0') : integerText(value, 2, 'binary')),
  o: (value) => integerText(value, 8, 'octal'),
  x: (value, _, meter) => hexText(meter, value),
  X: (value, _, meter) => {
    const text = hexText(meter, value);
    return text instanceof Failure ? text : text.toUpperCase();
  },
};

function wrongType(what: string, allowed: string, value: CelValue): Failure {
  return new Failure(
    `error during formatting: ${what} clause can only be used on ${allowed}, was given ${typeNameOf(value)}`,
  );
}

function integerOf(value: CelValue): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return value instanceof Uint ? value.value : undefined;
}

function decimalText(value: CelValue): string | Failure {
  if (typeof value === 'number' && !Number.isFinite(value)) return special(value);
  return integerOf(value)?.toString() ?? wrongType('decimal', 'integers', value);
}

function integerText(value: CelValue, base: number, what: string): string | Failure {
  return integerOf(value)?.toString(base) ?? wrongType(what, `integers${base === 2 ? ' and bools' : ''}`, value);
}

function hexText(meter: WorkMeter, value: CelValue): string | Failure {
  if (typeof value === 'string' || value instanceof Uint8Array) {
    // Three bytes of UTF-8 for a unit at most, and two digits for each.
    spend(meter, value.length * (typeof value === 'string' ? 6 : 2));
    return Buffer.from(value).toString('hex');
  }
  return integerOf(value)?.toString(16) ?? wrongType('hex', 'integers, byte buffers, and strings', value);
}

function special(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? 'Infinity' : '-Infinity';
}

function realText(value: CelValue, what: string, format: (value: number) => string): string | Failure {
  const number = typeof value === 'number' ? value : specialNames[typeof value === 'string' ? value : ''];
  if (number === undefined) {
    const whole = integerOf(value);
    return whole === undefined ? wrongType(what, 'doubles', value) : format(Number(whole));
  }
  return Number.isFinite(number) ? format(number) : special(number);
}

const specialNames: Readonly<Record<string, number>> = { NaN, Infinity, '-Infinity': -Infinity };

/** The most digits that `toFixed` gives. */
const fixedDigits = 100;
const tie = /^[+-]?[\d.]*?50*$/;

/** A number with a fixed count of digits; one in the middle is rounded to the even digit. */
function fixed(value: number, count: number): string {
  const digits = Math.min(count, fixedDigits);
  const rounded = value.toFixed(digits);
  const exact = value.toFixed(fixedDigits);
  const cut = exact.length - fixedDigits + digits;
  const isTie = digits < fixedDigits && tie.test(exact.slice(cut)) && /^\.?5/.test(exact.slice(cut));
  const isOdd = /[13579]\.?$/.test(rounded);
  if (!isTie || !isOdd) return rounded;
  return digits === 0 ? exact.slice(0, exact.indexOf('.')) : exact.slice(0, cut);
}

function scientific(value: number, digits: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential(Math.min(digits, 100)).split('e');
  return `${mantissa}e${exponent.startsWith('-') ? '-' : '+'}${exponent.slice(1).padStart(2, '0')}`;
}

function textOf(meter: WorkMeter, value: CelValue): string | Failure {
  spend(meter, keptWork);
  if (typeof value === 'string' || value instanceof Uint8Array) spend(meter, value.length);
  if (typeof value === 'string') return value;
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : special(value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Timestamp) return formatTimestamp(value.nanos);
  if (value instanceof Duration) return `${durationSeconds(value)}s`;
  if (value instanceof CelList) return listText(meter, value);
  if (value instanceof CelMap) return mapText(meter, value);
  return (
    integerOf(value)?.toString() ??
    wrongType('string', 'strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps', value)
  );
}

function durationSeconds({ nanos }: Duration): string {
  const sign = nanos < 0n ? '-' : '';
  const value = nanos < 0n ? -nanos : nanos;
  const fraction = (value % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '');
  return `${sign}${value / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}`;
}

function mapText(meter: WorkMeter, map: CelMap): string | Failure {
  const entries = map
    .keys(meter)
    .map((key) => joinTexts([textOf(meter, key), textOf(meter, map.get(key) ?? null)], ': '));
  const failure = entries.find((text) => text instanceof Failure);
  if (failure instanceof Failure) return failure;
  const shown = joinTexts(entries.filter((text) => typeof text === 'string').toSorted(), ', ');
  return shown instanceof Failure ? shown : `{${shown}}`;
}

function joinTexts(texts: readonly (string | Failure)[], separator: string): string | Failure {
  const shown = texts.filter((text) => typeof text === 'string');
  return texts.find((text) => text instanceof Failure) ?? shown.join(separator);
}

function listText(meter: WorkMeter, list: CelList): string | Failure {
  const texts: (string | Failure)[] = [];
  for (let index = 0; index < list.size; index++) texts.push(textOf(meter, list.at(index)));
  const shown = joinTexts(texts, ', ');
  return shown instanceof Failure ? shown : `[${shown}]`;
}
