import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import type { ReverseWriter } from './reverse-writer.ts';
import { type WireReader, wireType } from './wire-reader.ts';

/** The form of a value on the wire. */
export interface WireForm {
  readonly wireType: number;
  /**
   * Writes a value without its tag. Null stands for an empty one: a field that is always written
   * and has no value. A value of another JSON type is written as an empty one.
   */
  readonly write: (writer: ReverseWriter, value: JsonValue) => void;
  /**
   * Reads a value without its tag; undefined for one that counts as absent. `before` is the value
   * of an earlier occurrence of the field: messages are merged, other values replaced.
   */
  readonly read: (reader: WireReader, depth: number, before: JsonValue | undefined) => JsonValue | undefined;
}

/** The fields of a message on the wire. */
export interface MessageForm {
  /** Writes the fields of an object without a length before them. */
  readonly write: (writer: ReverseWriter, object: JsonObject) => void;
  /** Reads fields up to the end of the reader into an object. */
  readonly readInto: (reader: WireReader, object: JsonObject, depth: number) => void;
}

/** Returns the form of a nested message. Later occurrences are merged into the first. */
export function nestedForm({ write, readInto }: MessageForm): WireForm {
  return {
    wireType: wireType.delimited,
    write: (writer, value) => {
      const before = writer.length;
      write(writer, objectOf(value));
      writer.varint(writer.length - before);
    },
    read: (reader, depth, before) => {
      const object = objectOf(before ?? null);
      const outer = reader.enter();
      readInto(reader, object, depth + 1);
      reader.leave(outer);
      return object;
    },
  };
}

/** Returns a value as an object; an empty one for another value. */
export function objectOf(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {};
}
