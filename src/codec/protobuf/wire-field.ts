import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import type { Field, Schema } from '../../scheme/model/schema.ts';
import { DecodeError } from '../decode-error.ts';
import type { ReverseWriter } from './reverse-writer.ts';
import type { WireForm } from './wire-form.ts';
import type { WireReader } from './wire-reader.ts';

/** Reads one occurrence of a field into the object. */
export type ReadField = (reader: WireReader, object: JsonObject, type: number, depth: number) => void;

/** Writes a field, if it has to be written. */
type WriteField = (writer: ReverseWriter, object: JsonObject) => void;

/** A field on the wire, or an inlined message with its fields. */
export interface WireField {
  readonly number: number;
  readonly write: WriteField;
  readonly read: ReadField;
}

/** Returns a field of one value. */
export function singleField(field: Field, form: WireForm): WireField {
  const { name, number, explicit, schema } = field;
  const alwaysPresent = field.alwaysPresent || field.embedded === true;
  const tag = (number << 3) | form.wireType;
  // Go has pointers where an explicit empty value differs from an absent one.
  const always = !explicit && (isPlain(schema) || (alwaysPresent && schema.type !== 'list'));
  const dropped = explicit ? undefined : emptyValues[schema.type];
  return {
    number,
    write: (writer, object) => {
      const value = object[name] ?? null;
      if (value === null && !always) return;
      form.write(writer, value);
      writer.varint(tag);
    },
    read: (reader, object, type, depth) => {
      checkType(type, form.wireType);
      const value = form.read(reader, depth, object[name]);
      if (value !== undefined && value !== dropped) object[name] = value;
      else if (object[name] !== undefined) delete object[name];
    },
  };
}

/** Values that a plain field has when nothing was given. */
const emptyValues: Readonly<Record<string, JsonValue>> = Object.freeze({
  string: '',
  int32: 0,
  int64: 0,
  uint32: 0,
  uint64: 0,
  double: 0,
  bool: false,
});

/** Reports whether a value is a scalar in Go: written even when empty unless it is a pointer. */
function isPlain({ type }: Schema): boolean {
  return Object.hasOwn(emptyValues, type);
}

/** Returns the value of a map entry that has none. */
export function emptyOf(schema: Schema): JsonValue {
  if (schema.type === 'object') return {};
  if (schema.type === 'quantity') return '0';
  return schema.type === 'bytes' ? '' : (emptyValues[schema.type] ?? null);
}

/** Throws `DecodeError` for a field with another wire type than the wanted one. */
export function checkType(type: number, wanted: number): void {
  if (type !== wanted) throw new DecodeError(`proto: wrong wireType = ${type}`);
}
