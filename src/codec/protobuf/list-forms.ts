import type { JsonValue } from '../../meta/json-value.ts';
import type { Field } from '../../scheme/model/schema.ts';
import type { ReverseWriter } from './reverse-writer.ts';
import { checkType, type WireField } from './wire-field.ts';
import type { WireForm } from './wire-form.ts';
import { type WireReader, wireType } from './wire-reader.ts';

/** Returns the form of a list that is a message with the items as field 1. */
export function wrappedForm(item: WireForm): WireForm {
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
      reader.fields((found) => {
        if (found !== tag) return false;
        items.push(item.read(reader, depth, undefined) ?? null);
        return true;
      });
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

/** Returns a field that occurs once for each item of a list. */
export function repeatedField({ name, number }: Field, item: WireForm): WireField {
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
    reader.countFields();
    items.push(item.read(reader, 0, undefined) ?? null);
  }
  reader.leave(outer);
}
