import { parseDuration } from '../../meta/duration.ts';
import type { JsonValue } from '../../meta/json-value.ts';
import { type CelValue, Duration, Failure, Timestamp } from '../../cel/values/cel-value.ts';
import { parseTimestamp } from '../../cel/values/timestamp.ts';

function wrong(what: string): Failure {
  return new Failure(`invalid data, expected ${what}`);
}

function wholeNumber(value: JsonValue): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

/** Reads a text, which has a meaning or not. */
function textReader(read: (text: string) => CelValue | undefined, what: string): (value: JsonValue) => CelValue {
  const failure = wrong(what);
  return (value) => (typeof value === 'string' ? (read(value) ?? failure) : failure);
}

function durationOf(text: string): Duration | undefined {
  const nanos = parseDuration(text);
  return nanos === undefined ? undefined : new Duration(nanos);
}

function timestampOf(text: string): Timestamp | undefined {
  const nanos = parseTimestamp(text);
  return nanos === undefined ? undefined : new Timestamp(nanos);
}

/** The values of scalar types, by the type or format of their schema. */
export const scalarReaders: Readonly<Record<string, (value: JsonValue) => CelValue>> = {
  boolean: (value) => (typeof value === 'boolean' ? value : wrong('boolean')),
  byte: textReader((text) => Uint8Array.from(Buffer.from(text, 'base64')), 'base64 encoded string'),
  date: textReader((text) => timestampOf(`${text}T00:00:00Z`), 'date'),
  'date-time': textReader(timestampOf, 'date-time'),
  duration: textReader(durationOf, 'duration'),
  intOrString: (value) =>
    typeof value === 'string' ? value : (wholeNumber(value) ?? wrong('a value that is a string or an integer')),
  integer: (value) => wholeNumber(value) ?? wrong('integer'),
  number: (value) => (typeof value === 'number' || typeof value === 'bigint' ? Number(value) : wrong('number')),
  string: textReader((text) => text, 'string'),
};
