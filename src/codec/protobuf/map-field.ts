import { type JsonObject, type JsonValue, setOwn } from '../../meta/json-value.ts';
import type { Field, MapSchema } from '../../scheme/model/schema.ts';
import { checkType, emptyOf, type WireField } from './wire-field.ts';
import { objectOf, type WireForm } from './wire-form.ts';
import { type WireReader, wireType } from './wire-reader.ts';

const keyTag = (1 << 3) | wireType.delimited;

/**
 * Returns the field of a map: a list of messages with the key as field 1 and the value as field 2,
 * in key order.
 */
export function mapField({ name, number }: Field, { values }: MapSchema, value: WireForm): WireField {
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
