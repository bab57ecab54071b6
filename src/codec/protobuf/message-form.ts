import { type JsonObject, type JsonValue, setOwn } from '../../meta/json-value.ts';
import type { Field, ListSchema, MapSchema, ObjectSchema, Schema } from '../../scheme/schema.ts';
import { DecodeError } from '../decode-error.ts';
import { polymorphicForm } from './polymorphic-forms.ts';
import type { ReverseWriter } from './reverse-writer.ts';
import { scalarForms } from './scalar-forms.ts';
import { type MessageForm, nestedForm, objectOf, type WireForm } from './wire-form.ts';
import { type WireReader, wireType } from './wire-reader.ts';

/**
 * Nested messages beyond this depth are refused. No object has a tenth of it; the limit of JSON
 * would exceed the stack.
 */
const depthLimit = 500;

/** Reads one occurrence of a field into the object. */
type ReadField = (reader: WireReader, object: JsonObject, type: number, depth: number) => void;

/** Writes a field, if it has to be written. */
type WriteField = (writer: ReverseWriter, object: JsonObject) => void;

/** A field, or an inlined message with its fields. */
interface WireField {
  readonly number: number;
  readonly write: WriteField;
  readonly read: ReadField;
}

/** A pure cache: a form follows from its schema. */
const forms = new WeakMap<ObjectSchema, MessageForm>();

/**
 * Returns the form of a message. It is what Go's generated code for the API writes: fields in the
 * order of their numbers, plain scalars and embedded messages even when they are empty, pointers
 * when they are set.
 */
export function messageForm(schema: ObjectSchema): MessageForm {
  let form = forms.get(schema);
  if (!form) {
    form = compileMessage(schema);
    forms.set(schema, form);
  }
  return form;
}

/** Fields are compiled on the first message, because messages recurse. */
function compileMessage(schema: ObjectSchema): MessageForm {
  let compiled: MessageForm | undefined;
  const form = (): MessageForm => {
    compiled ??= formOfFields(fieldsAt([...schema.fields.values()], 0));
    return compiled;
  };
  return {
    write: (writer, object) => form().write(writer, object),
    readInto: (reader, object, depth) => form().readInto(reader, object, depth),
  };
}

function formOfFields(fields: readonly WireField[]): MessageForm {
  const lastFirst = fields.toSorted((a, b) => b.number - a.number).map(({ write }) => write);
  const byNumber: ReadField[] = [];
  for (const { number, read } of fields) byNumber[number] = read;
  return {
    write: (writer, object) => {
      for (const write of lastFirst) write(writer, object);
    },
    readInto: (reader, object, depth) => {
      if (depth > depthLimit) throw new DecodeError('exceeded max depth');
      while (reader.at < reader.end) {
        reader.countValue();
        const tag = reader.uint32();
        const number = tag >>> 3;
        const type = tag & 7;
        if (number === 0) throw new DecodeError(`proto: illegal tag ${number} (wire type ${tag})`);
        const read = byNumber[number];
        if (read) read(reader, object, type, depth);
        else reader.skip(type);
      }
    },
  };
}

/** The fields of a message and the messages that are inlined `level` levels below the outermost. */
function fieldsAt(fields: readonly Field[], level: number): readonly WireField[] {
  const inlined = groupBy(fields, ({ inlinePath }) => inlinePath[level]);
  return [...inlined].flatMap(([number, group]) =>
    number === undefined ? outermost(group) : [inlinedField(number, fieldsAt(group, level + 1))],
  );
}

function outermost(fields: readonly Field[]): readonly WireField[] {
  return [...groupBy(fields, ({ number }) => number).values()].map(([field, ...others]) =>
    spelledField(
      field,
      others.map(({ name }) => name),
    ),
  );
}

/** A field with other spellings of its name, as schema extensions have. */
function spelledField(field: Field, others: readonly string[]): WireField {
  const wire = wireField(field);
  if (others.length === 0) return wire;
  const spellings = [wire, ...others.map((name) => wireField({ ...field, name, schema: field.schema }))];
  const names = [field.name, ...others];
  const respelled = (object: JsonObject): JsonObject => {
    const used = others.find((name) => object[name] !== undefined);
    return used === undefined ? object : { ...object, [field.name]: object[used] ?? null };
  };
  return {
    ...wire,
    write: (writer, object) => wire.write(writer, respelled(object)),
    read: (reader, object, type, depth) => {
      const own = names.findIndex((name) => name.startsWith(reader.extensionPrefix));
      (spellings[own] ?? wire).read(reader, object, type, depth);
    },
  };
}

function groupBy<K>(fields: readonly Field[], keyOf: (field: Field) => K): Map<K, [Field, ...Field[]]> {
  const groups = new Map<K, [Field, ...Field[]]>();
  for (const field of fields) {
    const group = groups.get(keyOf(field));
    if (group) group.push(field);
    else groups.set(keyOf(field), [field]);
  }
  return groups;
}

/** An inlined message is embedded in Go and always written. */
function inlinedField(number: number, fields: readonly WireField[]): WireField {
  const { write, readInto } = formOfFields(fields);
  const tag = (number << 3) | wireType.delimited;
  return {
    number,
    write: (writer, object) => {
      const before = writer.length;
      write(writer, object);
      writer.varint(writer.length - before);
      writer.varint(tag);
    },
    read: (reader, object, type, depth) => {
      checkType(type, wireType.delimited);
      const outer = reader.enter();
      readInto(reader, object, depth + 1);
      reader.leave(outer);
    },
  };
}

function wireField(field: Field): WireField {
  const { schema } = field;
  if (schema.type === 'list' && !schema.wrapped) return repeatedField(field, schema);
  if (schema.type === 'map') return mapField(field, schema);
  return singleField(field, formOf(schema));
}

/** Returns the form of a value that is one field or one list item. */
function formOf(schema: Schema): WireForm {
  if (schema.type === 'object') return nestedForm(messageForm(schema));
  if (schema.type === 'list') return wrappedForm(schema);
  if (schema.type === 'map') throw new TypeError('Protobuf has no lists or maps of maps');
  return schema.type === 'any'
    ? polymorphicForm(schema, (message) => nestedForm(messageForm(message)))
    : scalarForms[schema.type];
}

/** A list that is a message with the items as field 1. */
function wrappedForm(schema: ListSchema): WireForm {
  const item = formOf(schema.items);
  const tag = (1 << 3) | item.wireType;
  return {
    wireType: wireType.delimited,
    write: (writer, value) => {
      const before = writer.length;
      writeItems(writer, item, tag, value);
      writer.varint(writer.length - before);
    },
    read: (reader, depth, before) => {
      const items = Array.isArray(before) ? before : [];
      const outer = reader.enter();
      while (reader.at < reader.end) {
        reader.countValue();
        const next = reader.uint32();
        if (next === tag) items.push(item.read(reader, depth, undefined) ?? null);
        else reader.skip(next & 7);
      }
      reader.leave(outer);
      return items;
    },
  };
}

function writeItems(writer: ReverseWriter, item: WireForm, tag: number, value: JsonValue | undefined): void {
  if (!Array.isArray(value)) return;
  for (let index = value.length - 1; index >= 0; index--) {
    item.write(writer, value[index] ?? null);
    writer.varint(tag);
  }
}

function singleField({ name, number, explicit, alwaysPresent, schema }: Field, form: WireForm): WireField {
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
      if (value === undefined || value === dropped) delete object[name];
      else object[name] = value;
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

function repeatedField({ name, number }: Field, schema: ListSchema): WireField {
  const item = formOf(schema.items);
  const tag = (number << 3) | item.wireType;
  return {
    number,
    write: (writer, object) => writeItems(writer, item, tag, object[name]),
    read: (reader, object, type, depth) => {
      const before = object[name];
      const items = Array.isArray(before) ? before : [];
      object[name] = items;
      if (type === wireType.delimited && item.wireType !== wireType.delimited) return readPacked(reader, item, items);
      checkType(type, item.wireType);
      items.push(item.read(reader, depth, undefined) ?? null);
    },
  };
}

/** Numbers of a list may come in one field (proto3). */
function readPacked(reader: WireReader, item: WireForm, items: JsonValue[]): void {
  const outer = reader.enter();
  while (reader.at < reader.end) {
    reader.countValue();
    items.push(item.read(reader, 0, undefined) ?? null);
  }
  reader.leave(outer);
}

const keyTag = (1 << 3) | wireType.delimited;

/** A map is a list of messages with the key as field 1 and the value as field 2, in key order. */
function mapField({ name, number }: Field, schema: MapSchema): WireField {
  const value = formOf(schema.values);
  const valueTag = (2 << 3) | value.wireType;
  const tag = (number << 3) | wireType.delimited;
  return {
    number,
    write: (writer, object) => {
      const entries = objectOf(object[name] ?? null);
      const keys = Object.keys(entries).toSorted();
      for (let index = keys.length - 1; index >= 0; index--) {
        const key = keys[index] ?? '';
        const before = writer.length;
        value.write(writer, entries[key] ?? null);
        writer.varint(valueTag);
        writer.text(key);
        writer.varint(keyTag);
        writer.varint(writer.length - before);
        writer.varint(tag);
      }
    },
    read: (reader, object, type, depth) => {
      checkType(type, wireType.delimited);
      const entries = objectOf(object[name] ?? null);
      object[name] = entries;
      const outer = reader.enter();
      readEntry(reader, entries, { value, valueTag, empty: emptyOf(schema.values), depth });
      reader.leave(outer);
    },
  };
}

interface EntryForm {
  readonly value: WireForm;
  readonly valueTag: number;
  /** The value of an entry without one. */
  readonly empty: JsonValue;
  readonly depth: number;
}

function readEntry(reader: WireReader, entries: JsonObject, { value, valueTag, empty, depth }: EntryForm): void {
  let key = '';
  let read: JsonValue | undefined;
  while (reader.at < reader.end) {
    const tag = reader.uint32();
    if (tag === keyTag) key = reader.text();
    else if (tag === valueTag) read = value.read(reader, depth + 1, read);
    else reader.skip(tag & 7);
  }
  setOwn(entries, key, read ?? empty);
}

function emptyOf(schema: Schema): JsonValue {
  if (schema.type === 'object') return {};
  if (schema.type === 'quantity') return '0';
  return schema.type === 'bytes' ? '' : (emptyValues[schema.type] ?? null);
}

function checkType(type: number, wanted: number): void {
  if (type !== wanted) throw new DecodeError(`proto: wrong wireType = ${type}`);
}
