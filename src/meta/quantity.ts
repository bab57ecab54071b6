/** The family of suffixes that a quantity was written with; its canonical form keeps it. */
type QuantityFormat = 'binary' | 'decimal' | 'exponent';
import { memoizeText } from './memoize.ts';

/** An amount, exact to the smallest unit of quantities: one billionth. */
export interface Quantity {
  readonly nanos: bigint;
  readonly format: QuantityFormat;
  /** The original text if kube-apiserver would keep it instead of the canonical form. */
  readonly spelling?: string;
}

/** A parsed quantity or the error message. */
type ParsedQuantity = Quantity | { readonly error: string };

const syntax = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eE][-+]?[0-9]+|[KMGTPE]i|[numkMGTPE]?)$/;
/** A text of this form has a wrong suffix; any other invalid text has a wrong format. */
const form = /^[+-]?[0-9]*\.?[0-9]*[eEinumkKMGTP]*[-+]?[0-9]*$/;

const messages = Object.freeze({
  format: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  numeric: 'unable to parse numeric part of quantity',
  suffix: "unable to parse quantity's suffix",
});

/** Limits of the text and the exponent; no amount needs more, and big numbers cost time. */
const textLimit = 128;
const exponentLimit = 64;

const nanosPerUnit = 10n ** 9n;

/** The maximum of binary quantities, as in Kubernetes. */
const binaryMax = (2n ** 63n - 1n) * nanosPerUnit;

const decimalSuffixes: readonly (readonly [suffix: string, exponent: number])[] = [
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
];
const decimalExponents: ReadonlyMap<string, number> = new Map(decimalSuffixes);
const decimalNames: ReadonlyMap<number, string> = new Map(decimalSuffixes.map(([name, exponent]) => [exponent, name]));
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

interface Scale {
  readonly base: 2n | 10n;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

function scaleOf(suffix: string): Scale | undefined {
  const decimal = decimalExponents.get(suffix);
  if (decimal !== undefined) return { base: 10n, exponent: decimal, format: 'decimal' };
  const binary = binarySuffixes.indexOf(suffix);
  if (binary > 0) return { base: 2n, exponent: binary * 10, format: 'binary' };
  const exponent = Number(suffix.slice(1));
  return Math.abs(exponent) > exponentLimit ? undefined : { base: 10n, exponent, format: 'exponent' };
}

/** Divides by `10^places`, rounding up, so that a positive amount never becomes zero. */
function divideUp(numerator: bigint, places: number): bigint {
  const divisor = 10n ** BigInt(places);
  return (numerator + divisor - 1n) / divisor;
}

/**
 * Parses a quantity (`100m`, `1.5Gi`, `1e3`). Never throws; takes bounded time for any text. Most
 * objects contain the same few quantities, and a write parses each several times.
 */
export const parseQuantity: (text: string) => ParsedQuantity = memoizeText(readQuantity, {
  most: 1_000,
  longest: textLimit,
});

function readQuantity(text: string): ParsedQuantity {
  if (text.length > textLimit) return { error: messages.numeric };
  const match = text === '' ? null : syntax.exec(text);
  if (!match) return { error: text !== '' && form.test(text) ? messages.suffix : messages.format };
  const [, sign, whole = '', fraction = '', suffix = ''] = match;
  const scale = scaleOf(suffix);
  if (!scale) return { error: messages.suffix };
  const digits = BigInt(whole + fraction);
  // places: the number of decimal digits beyond one nano.
  const places = fraction.length - 9 - (scale.base === 10n ? scale.exponent : 0);
  const factor = scale.base === 2n ? 2n ** BigInt(scale.exponent) : 1n;
  const nanos = places > 0 ? divideUp(digits * factor, places) : digits * factor * 10n ** BigInt(-places);
  const capped = scale.format === 'binary' && nanos > binaryMax ? binaryMax : nanos;
  return {
    nanos: sign === '-' ? -capped : capped,
    format: scale.format,
    ...(keepsSpelling(whole, fraction, scale) ? { spelling: text } : {}),
  };
}

/**
 * How many digits the fast parser of kube-apiserver accepts, for decimal and for binary suffixes.
 */
const quickDigits = { decimal: 18, binary: 14 };

/**
 * Reports whether kube-apiserver writes a quantity back as spelled. Its fast parser for short
 * numbers only checks that no larger suffix fits; signs and leading zeros are kept. Numbers below
 * one and numbers too long for the fast parser become canonical.
 */
function keepsSpelling(whole: string, fraction: string, { format, exponent }: Scale): boolean {
  const number = whole.replace(/^0+/, '');
  if (number === '') return false;
  if (format === 'binary') {
    const longest = quickDigits.binary - (exponent * 3) / 10;
    return fraction === '' && number.length <= longest && BigInt(number) % 8n !== 0n;
  }
  const shift = exponent - fraction.length;
  const isShort = number.length + fraction.length <= quickDigits.decimal;
  return isShort && shift >= -9 && shift % 3 === 0 && BigInt(number + fraction) % 1000n !== 0n;
}

/** Divides by a factor while there is no remainder, at most `limit` times. */
function factorOut(value: bigint, factor: bigint, limit: number): { value: bigint; times: number } {
  let times = 0;
  while (times < limit && value % factor === 0n) {
    value /= factor;
    times++;
  }
  return { value, times };
}

function formatBinary(units: bigint): string {
  const { value, times } = factorOut(units, 1024n, binarySuffixes.length - 1);
  return `${value}${binarySuffixes[times] ?? ''}`;
}

function formatDecimal(nanos: bigint, format: QuantityFormat): string {
  // Divides by thousands, because exponents are multiples of three. The decimal suffixes end at E,
  // 10^18.
  const { value, times } = factorOut(nanos, 1000n, format === 'exponent' ? Number.POSITIVE_INFINITY : 9);
  const exponent = times * 3 - 9;
  if (format === 'exponent') return exponent === 0 ? value.toString() : `${value}e${exponent}`;
  return `${value}${decimalNames.get(exponent) ?? ''}`;
}

/**
 * Formats a quantity: as spelled if that is kept, else in canonical form, which has no fraction
 * and the largest suffix of its family that keeps the number whole. A binary amount with a fraction
 * or below 1024 is written as decimal.
 */
export function formatQuantity({ nanos, format, spelling }: Quantity): string {
  if (spelling !== undefined) return spelling;
  if (nanos === 0n) return '0';
  if (format !== 'binary') return formatDecimal(nanos, format);
  const units = nanos / nanosPerUnit;
  const small = units > -1024n && units < 1024n;
  return small || nanos % nanosPerUnit !== 0n ? formatDecimal(nanos, 'decimal') : formatBinary(units);
}

/** The sum in the format of the first amount that is not zero, as in Kubernetes. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nanos: a.nanos + b.nanos, format: a.nanos === 0n ? b.format : a.format };
}

/** Rounds a positive amount up to whole units. */
export function roundUpToUnits(quantity: Quantity): Quantity {
  const rest = quantity.nanos % nanosPerUnit;
  return rest <= 0n ? quantity : { nanos: quantity.nanos - rest + nanosPerUnit, format: quantity.format };
}

const nanosPerThousandth = 10n ** 6n;

/** Rounds an amount away from zero to thousandths, the finest unit of resources. */
export function roundUpToThousandths(quantity: Quantity): Quantity {
  const { nanos, format } = quantity;
  const rest = nanos % nanosPerThousandth;
  if (rest === 0n) return quantity;
  return { nanos: nanos - rest + (nanos < 0n ? -nanosPerThousandth : nanosPerThousandth), format };
}

/** The stored form of a quantity; undefined if the text is not a quantity. */
export function normaliseQuantity(text: string): string | undefined {
  const quantity = parseQuantity(text);
  return 'error' in quantity ? undefined : formatQuantity(quantity);
}

/** Compares quantities by amount, for `Array.sort`. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
}
