import { parseDuration } from '../../meta/duration.ts';
import { type CelValue, Duration, Failure, Timestamp, Uint } from '../values/cel-value.ts';
import { formatTimestamp, parseTimestamp } from '../values/timestamp.ts';
import { checkInt, checkUint } from './arithmetic.ts';
import { failures } from './failures.ts';
import type { Library } from './library.ts';

const nanosPerSecond = 1_000_000_000n;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

function conversionError(type: string): Failure {
  return new Failure(`type conversion error from 'string' to '${type}'`);
}

function wholePart(value: number, [least, most]: readonly [number, number]): bigint | undefined {
  return Number.isFinite(value) && value > least && value < most ? BigInt(Math.trunc(value)) : undefined;
}

function parseWhole(text: string, pattern: RegExp): bigint | undefined {
  return text.length <= 20 && pattern.test(text) ? BigInt(text.replace(/^\+/, '')) : undefined;
}

function parseDouble(text: string): CelValue {
  const named = doubleNames[text.toLowerCase()];
  if (named !== undefined) return named;
  const value = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : NaN;
  return Number.isFinite(value) ? value : conversionError('double');
}

const doubleNames: Readonly<Record<string, number>> = {
  nan: NaN,
  inf: Infinity,
  '+inf': Infinity,
  '-inf': -Infinity,
  infinity: Infinity,
  '+infinity': Infinity,
  '-infinity': -Infinity,
};

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text) => [text, false] as const),
]);

/** A double in Go's format %g, which has an exponent from a million on. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function durationOf(text: string): Duration | Failure {
  const nanos = parseDuration(text);
  return nanos === undefined ? conversionError('duration') : new Duration(nanos);
}

function timestampOf(text: string): Timestamp | Failure {
  const nanos = parseTimestamp(text);
  return nanos === undefined ? conversionError('timestamp') : new Timestamp(nanos);
}

function decode(bytes: Uint8Array): CelValue {
  try {
    return decoder.decode(bytes);
  } catch {
    return new Failure('invalid UTF-8 in bytes, cannot convert to string');
  }
}

/** A duration in seconds, with its fraction: `90s`, `1.5s`. */
export function durationText({ nanos }: Duration): string {
  const sign = nanos < 0n ? '-' : '';
  const value = nanos < 0n ? -nanos : nanos;
  const fraction = (value % nanosPerSecond).toString().padStart(9, '0').replace(/0+$/, '');
  return `${sign}${value / nanosPerSecond}${fraction === '' ? '' : `.${fraction}`}s`;
}

/** Conversions between types, with the names of the types. */
export const conversions: Library = {
  functions: [
    ['int(int): int', (value: bigint) => value],
    ['int(uint): int', ({ value }: Uint) => checkInt(value)],
    [
      'int(double): int',
      (value: number) =>
        wholePart(value, [-9_223_372_036_854_775_808, 9_223_372_036_854_775_808]) ?? failures.intOverflow,
    ],
    [
      'int(string): int',
      (text: string) => {
        const value = parseWhole(text, /^[+-]?\d+$/);
        return value === undefined ? conversionError('int') : checkInt(value);
      },
    ],
    ['int(timestamp): int', ({ nanos }: Timestamp) => floorSeconds(nanos)],
    ['int(duration): int', ({ nanos }: Duration) => nanos],
    ['uint(uint): uint', (value: Uint) => value],
    ['uint(int): uint', (value: bigint) => checkUint(value)],
    [
      'uint(double): uint',
      (value: number) => {
        const whole = wholePart(value, [-1, 18_446_744_073_709_551_616]);
        return whole === undefined || value < 0 ? failures.uintOverflow : new Uint(whole);
      },
    ],
    [
      'uint(string): uint',
      (text: string) => {
        const value = parseWhole(text, /^\d+$/);
        return value === undefined ? conversionError('uint') : checkUint(value);
      },
    ],
    ['double(double): double', (value: number) => value],
    ['double(int): double', Number],
    ['double(uint): double', ({ value }: Uint) => Number(value)],
    ['double(string): double', parseDouble],
    ['string(string): string', (text: string) => text],
    ['string(bool): string', String],
    ['string(int): string', String],
    ['string(uint): string', ({ value }: Uint) => String(value)],
    ['string(double): string', formatDouble],
    ['string(bytes): string', decode],
    ['string(timestamp): string', ({ nanos }: Timestamp) => formatTimestamp(nanos)],
    ['string(duration): string', durationText],
    ['bytes(bytes): bytes', (value: Uint8Array) => value],
    ['bytes(string): bytes', (text: string) => encoder.encode(text)],
    ['bool(bool): bool', (value: boolean) => value],
    ['bool(string): bool', (text: string) => booleans.get(text) ?? conversionError('bool')],
    ['timestamp(timestamp): timestamp', (value: Timestamp) => value],
    ['timestamp(string): timestamp', timestampOf],
    ['timestamp(int): timestamp', (seconds: bigint) => new Timestamp(seconds * nanosPerSecond)],
    ['duration(duration): duration', (value: Duration) => value],
    ['duration(string): duration', durationOf],
    ['duration(int): duration', (nanos: bigint) => new Duration(nanos)],
  ],
};

function floorSeconds(nanos: bigint): bigint {
  const seconds = nanos / nanosPerSecond;
  return nanos < 0n && nanos % nanosPerSecond !== 0n ? seconds - 1n : seconds;
}
