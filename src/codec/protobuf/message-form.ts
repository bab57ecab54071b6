import { memoize } from '../../meta/memoize.ts';
import { type JsonObject, type JsonValue, setOwn } from '../../meta/json-value.ts';
import type { Field, ObjectSchema, Schema, MapSchema } from '../../scheme/model/schema.ts';
import { DecodeError } from '../decode-error.ts';
import { repeatedField, wrappedForm } from './list-forms.ts';
import { polymorphicForm } from './polymorphic-forms.ts';
import { scalarForms } from './scalar-forms.ts';
import { checkType, type ReadField, singleField, type WireField, emptyOf } from './wire-field.ts';
import { type MessageForm, nestedForm, type WireForm, objectOf } from './wire-form.ts';
import { wireType, type WireReader } from './wire-reader.ts';

const keyTag = (1 << 3) | wireType.delimited;

/**
 * Returns the field of a map: a list of messages with the key as field 1 and the value as field 2,
 * in key order.
 */
function mapField({ name, number }: Field, { values }: MapSchema, value: WireForm): WireField {
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
      readEntry(reader, entries, { value, valueTag, empty: emptyOf(values), depth });
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
  reader.fields((tag) => {
    if (tag === keyTag) key = reader.text();
    else if (tag === valueTag) read = value.read(reader, depth + 1, read);
    return tag === keyTag || tag === valueTag;
  });
  setOwn(entries, key, read ?? empty);
}

/**
 * Nested messages beyond this depth are refused. No object has a tenth of it; the limit of JSON
 * would exceed the stack.
 */
const depthLimit = 500;

/**
 * Returns the form of a message, as Go's generated code for the API writes it: fields in the order
 * of their numbers, plain scalars and embedded messages even when they are empty, pointers when
 * they are set.
 */
export const messageForm: (schema: ObjectSchema) => MessageForm = memoize((schema) => compileMessage(schema));

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
        const tag = reader.nextTag();
        const number = tag >>> 3;
        if (number === 0) throw new DecodeError(`proto: illegal tag 0 (wire type ${tag})`);
        const read = byNumber[number];
        if (read) read(reader, object, tag & 7, depth);
        else reader.skip(tag & 7);
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
  if (schema.type === 'list' && !schema.wrapped) return repeatedField(field, formOf(schema.items));
  if (schema.type === 'map') return mapField(field, schema, formOf(schema.values));
  return singleField(field, formOf(schema));
}

/** Returns the form of a value that is one field or one list item. */
function formOf(schema: Schema): WireForm {
  if (schema.type === 'object') return nestedForm(messageForm(schema));
  if (schema.type === 'list') return wrappedForm(formOf(schema.items));
  if (schema.type === 'map') throw new TypeError('Protobuf has no lists or maps of maps');
  return schema.type === 'any'
    ? polymorphicForm(schema, (message) => nestedForm(messageForm(message)))
    : scalarForms[schema.type];
}
