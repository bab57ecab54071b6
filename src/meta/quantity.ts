/** The family of suffixes that a quantity was written with, which its canonical form keeps. */
type QuantityFormat = 'binary' | 'decimal' | 'exponent';

/** An amount of a resource, exact down to the smallest step that quantities know, one billionth. */
export interface Quantity {
  readonly nanos: bigint;
  readonly format: QuantityFormat;
  /** How it was written, where kube-apiserver keeps that instead of the canonical form. */
  readonly spelling?: string;
}

/** The result of reading a quantity: the amount, or the message that says what is wrong with the text. */
type ParsedQuantity = Quantity | { readonly error: string };

const syntax = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eE][-+]?[0-9]+|[KMGTPE]i|[numkMGTPE]?)$/;
/** What is wrong in a text of this form is the suffix alone. */
const form = /^[+-]?[0-9]*\.?[0-9]*[eEinumkKMGTP]*[-+]?[0-9]*$/;

const messages = Object.freeze({
  format: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  numeric: 'unable to parse numeric part of quantity',
  suffix: "unable to parse quantity's suffix",
});

/** Digits and exponents beyond these are refused: no amount needs them, and arithmetic on them costs time. */
const textLimit = 128;
const exponentLimit = 64;

const nanosPerUnit = 10n ** 9n;

/** Binary quantities stop here, as in Kubernetes. */
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

/** `numerator / 10^places`, away from zero: whoever asks for something gets something. */
function divideUp(numerator: bigint, places: number): bigint {
  const divisor = 10n ** BigInt(places);
  return (numerator + divisor - 1n) / divisor;
}

/** A cache, not state: the same few amounts stand in most objects, and each is read several times in a write. */
const known = new Map<string, ParsedQuantity>();
const rememberedQuantities = 1_000;

/** Reads a quantity (`100m`, `1.5Gi`, `1e3`). Never throws, and takes a bounded time whatever the text. */
export function parseQuantity(text: string): ParsedQuantity {
  let quantity = known.get(text);
  if (!quantity) {
    quantity = readQuantity(text);
    if (known.size >= rememberedQuantities) known.clear();
    if (text.length <= textLimit) known.set(text, quantity);
  }
  return quantity;
}

function readQuantity(text: string): ParsedQuantity {
  if (text.length > textLimit) return { error: messages.numeric };
  const match = text === '' ? null : syntax.exec(text);
  if (!match) return { error: text !== '' && form.test(text) ? messages.suffix : messages.format };
  const [, sign, whole = '', fraction = '', suffix = ''] = match;
  const scale = scaleOf(suffix);
  if (!scale) return { error: messages.suffix };
  const digits = BigInt(whole + fraction);
  // places: how far the digits, taken as one whole number, stand left of one nano.
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

/** The digits of a number of 64 bits, and what of them the quick reader of binary suffixes leaves for the number. */
const quickDigits = { decimal: 18, binary: 14 };

/**
 * Whether a quantity is written back as it was spelt, and not in canonical form. kube-apiserver has a quick reader for short
 * numbers, which looks only whether the suffix could be another one; signs, leading zeros and the like stay. A number
 * below one and whatever the quick reader cannot hold are always made canonical.
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

/** Divides out a factor as often as it goes, at most `limit` times. */
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
  // Whole thousands only: exponents are multiples of three. The decimal suffixes end at E, ten to the eighteenth.
  const { value, times } = factorOut(nanos, 1000n, format === 'exponent' ? Number.POSITIVE_INFINITY : 9);
  const exponent = times * 3 - 9;
  if (format === 'exponent') return exponent === 0 ? value.toString() : `${value}e${exponent}`;
  return `${value}${decimalNames.get(exponent) ?? ''}`;
}

/**
 * Writes a quantity as it was spelt, where that is kept, and else in canonical form: no fraction, the largest suffix that
 * keeps the number whole, in the family it was written in. A binary amount that has a fraction, or is below 1024, is
 * written in decimal.
 */
export function formatQuantity({ nanos, format, spelling }: Quantity): string {
  if (spelling !== undefined) return spelling;
  if (nanos === 0n) return '0';
  if (format !== 'binary') return formatDecimal(nanos, format);
  const units = nanos / nanosPerUnit;
  const small = units > -1024n && units < 1024n;
  return small || nanos % nanosPerUnit !== 0n ? formatDecimal(nanos, 'decimal') : formatBinary(units);
}

const nanosPerThousandth = 10n ** 6n;

/** The amount in whole thousandths, away from zero: resources are not counted finer. */
export function roundUpToThousandths(quantity: Quantity): Quantity {
  const { nanos, format } = quantity;
  const rest = nanos % nanosPerThousandth;
  if (rest === 0n) return quantity;
  return { nanos: nanos - rest + (nanos < 0n ? -nanosPerThousandth : nanosPerThousandth), format };
}

/** How a quantity is written, or undefined where the text is none. */
export function normaliseQuantity(text: string): string | undefined {
  const quantity = parseQuantity(text);
  return 'error' in quantity ? undefined : formatQuantity(quantity);
}

/** Orders quantities by amount, whatever their format; for `Array.sort`. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
}
