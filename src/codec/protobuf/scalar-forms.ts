import { formatDuration, parseDuration } from '../../meta/duration.ts';
import type { JsonValue } from '../../meta/json-value.ts';
import { internedText, internedTree } from '../../meta/interned-json.ts';
import { formatInstant, parseInstant } from '../../meta/time.ts';
import type { ScalarType } from '../../scheme/model/schema.ts';
import { DecodeError } from '../decode-error.ts';
import { decodeJson } from '../decode-json.ts';
import { encodeJson } from '../encode-json.ts';
import { valuesInJson } from '../value-limit.ts';
import type { ReverseWriter } from './reverse-writer.ts';
import type { WireForm } from './wire-form.ts';
import { type WireReader, wireType } from './wire-reader.ts';

/** The forms of all scalar types but `any`, whose form depends on its message. */
export const scalarForms: Readonly<Record<Exclude<ScalarType, 'any'>, WireForm>> = Object.freeze({
  string: textForm(),
  bytes: {
    wireType: wireType.delimited,
    write: (writer, value) => writer.bytes(Buffer.from(textOf(value), 'base64')),
    read: (reader) => reader.bytes().toString('base64'),
  },
  bool: {
    wireType: wireType.varint,
    write: (writer, value) => writer.varint(value === true ? 1 : 0),
    read: (reader) => reader.int64() !== 0,
  },
  int32: integerForm((reader) => reader.int32()),
  uint32: integerForm((reader) => reader.uint32()),
  int64: integerForm((reader) => reader.int64()),
  uint64: integerForm((reader) => reader.uint64()),
  double: {
    wireType: wireType.fixed64,
    write: (writer, value) => writer.double(typeof value === 'bigint' || typeof value === 'number' ? Number(value) : 0),
    read: (reader) => reader.double(),
  },
  time: timeForm(0),
  microTime: timeForm(6),
  duration: messageForm(
    (writer, value) => writeInteger(writer, 1, parseDuration(textOf(value)) ?? 0n),
    (fields) => formatDuration(BigInt(integerIn(fields, 1))),
  ),
  quantity: messageForm(
    (writer, value) => writeText(writer, 1, quantityText(value)),
    (fields) => textIn(fields, 1) || '0',
  ),
  intOrString: messageForm(writeIntOrString, readIntOrString),
  fieldsV1: messageForm(writeRawJson, readOwnedFields),
});

/** Arbitrary JSON, as bytes in field 1. */
export const rawJsonForm: WireForm = messageForm(writeRawJson, readRawJson);

/** The fields of a small message that is one value in JSON, by number; others are dropped. */
type SmallFields = readonly (number | bigint | Buffer | undefined)[];

/** The largest number of a field of such a message. */
const lastSmallField = 3;

/** The form of a message that is one value in JSON. */
function messageForm(
  write: (writer: ReverseWriter, value: JsonValue) => void,
  readFields: (fields: SmallFields, reader: WireReader) => JsonValue | undefined,
): WireForm {
  return {
    wireType: wireType.delimited,
    write: (writer, value) => {
      const before = writer.length;
      write(writer, value);
      writer.varint(writer.length - before);
    },
    read: (reader) => {
      const outer = reader.enter();
      const fields: (number | bigint | Buffer | undefined)[] = [];
      reader.fields((tag) => readSmallField(reader, tag, fields));
      reader.leave(outer);
      return readFields(fields, reader);
    },
  };
}

function readSmallField(reader: WireReader, tag: number, fields: (number | bigint | Buffer | undefined)[]): boolean {
  const type = tag & 7;
  const number = tag >>> 3;
  if (number > lastSmallField) return false;
  if (type === wireType.varint) fields[number] = reader.int64();
  else if (type === wireType.delimited) fields[number] = reader.bytes();
  else return false;
  return true;
}

/** Returns a signed integer. */
function integerIn(fields: SmallFields, number: number): number | bigint {
  const value = fields[number];
  return typeof value === 'bigint' || typeof value === 'number' ? value : 0;
}

/** Returns the lower 32 bits, signed. */
function int32In(fields: SmallFields, number: number): number {
  const value = integerIn(fields, number);
  return typeof value === 'number' ? value | 0 : Number(BigInt.asIntN(32, value));
}

function textIn(fields: SmallFields, number: number): string {
  const value = fields[number];
  return Buffer.isBuffer(value) ? value.toString('utf8') : '';
}

function writeInteger(writer: ReverseWriter, number: number, value: number | bigint): void {
  if (typeof value === 'bigint') writer.bigVarint(value);
  else writer.varint(value);
  writer.varint((number << 3) | wireType.varint);
}

function writeText(writer: ReverseWriter, number: number, value: string): void {
  writer.text(value);
  writer.varint((number << 3) | wireType.delimited);
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : '';
}

function textForm(): WireForm {
  return {
    wireType: wireType.delimited,
    write: (writer, value) => writer.text(textOf(value)),
    read: (reader) => reader.text(),
  };
}

function integerForm(read: WireForm['read']): WireForm {
  return { wireType: wireType.varint, write: writeNumber, read };
}

function writeNumber(writer: ReverseWriter, value: JsonValue): void {
  if (typeof value === 'bigint') writer.bigVarint(value);
  else writer.varint(typeof value === 'number' && Number.isInteger(value) ? value : 0);
}

/** The message is empty for the zero time, as in Go, and null stands for it. */
function timeForm(decimals: 0 | 6): WireForm {
  return messageForm(
    (writer, value) => {
      const instant = parseInstant(textOf(value));
      if (!instant) return;
      writeInteger(writer, 2, decimals === 0 ? 0 : Number(instant.fraction.padEnd(9, '0').slice(0, 9)));
      writeInteger(writer, 1, instant.seconds);
    },
    (fields) => {
      const seconds = Number(integerIn(fields, 1));
      const nanoseconds = int32In(fields, 2);
      if (seconds === 0 && nanoseconds === 0) return undefined;
      const text = formatInstant(seconds, decimals, nanoseconds);
      if (text === undefined) throw new DecodeError(`a time of ${seconds} seconds is out of range`);
      return text;
    },
  );
}

function quantityText(value: JsonValue): string {
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : textOf(value) || '0';
}

const intOrStringType = Object.freeze({ int: 0, string: 1 });

/** Go writes all three fields. */
function writeIntOrString(writer: ReverseWriter, value: JsonValue): void {
  writeText(writer, 3, textOf(value));
  writeInteger(writer, 2, typeof value === 'number' ? Math.trunc(value) : 0);
  writeInteger(writer, 1, typeof value === 'string' ? intOrStringType.string : intOrStringType.int);
}

function readIntOrString(fields: SmallFields): JsonValue {
  const isText = Number(integerIn(fields, 1)) === intOrStringType.string;
  return isText ? textIn(fields, 3) : int32In(fields, 2);
}

function writeRawJson(writer: ReverseWriter, value: JsonValue): void {
  // Go has no bytes for null.
  if (value === null) return;
  writer.text(internedText(value) ?? encodeJson(value));
  writer.varint((1 << 3) | wireType.delimited);
}

/** Reads the fields of a manager. Most clients send fields that they got from a server. */
function readOwnedFields(fields: SmallFields, reader: WireReader): JsonValue | undefined {
  const raw = fields[1];
  const known = Buffer.isBuffer(raw) ? internedTree(raw.toString('utf8')) : undefined;
  if (!known || !Buffer.isBuffer(raw)) return readRawJson(fields, reader);
  reader.countFields(valuesInJson(raw));
  return known;
}

function readRawJson(fields: SmallFields, reader: WireReader): JsonValue | undefined {
  const raw = fields[1];
  if (!Buffer.isBuffer(raw) || raw.length === 0) return undefined;
  reader.countFields(valuesInJson(raw));
  return decodeJson(raw, { duplicates: false }).value;
}
