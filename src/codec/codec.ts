import type { JsonObject, JsonValue } from '../meta/json-value.ts';
import type { Document } from './document.ts';
import type { StatusBody } from './status-body.ts';

/**
 * A format in which objects are sent and answered: one row for each media type. Rows are listed in
 * `codecs.ts`; negotiation, readers of bodies and writers of answers use the list and name no
 * format. A codec holds no state of a request.
 */
export interface Codec {
  /** Its name in Accept and Content-Type, and the content type of its answers. */
  readonly mediaType: string;
  /**
   * True where the JSON of a document is its encoding, followed by a line feed, and the items of a
   * list are joined by a comma. Objects are sent from where they are in memory then, and lists from
   * the bytes that their layout has, without a call of the codec for each of them.
   */
  readonly verbatim: boolean;
  /** The same format laid out for people, where it has such a form; `pretty` asks for it. */
  readonly pretty?: Codec;
  /** True for a kind that the format can express; absent where it can express all of them. */
  readonly knows?: (kind: KindInVersion) => boolean;
  /**
   * Reads a document of a body. Large ones are read in several turns of the event loop, or outside
   * of it. Throws `DecodeError`, and a 413 `StatusError` for too many values.
   */
  readonly decodeObject: (bytes: Buffer, options: DecodeOptions) => DecodedObject | Promise<DecodedObject>;
  /** Describes the problem of a body that cannot be read as an object, for its refusal. */
  readonly unreadable: (problem: string) => string;
  /**
   * Writes a whole document, in pieces of some milliseconds of work that are made when they are
   * taken. Encodings of documents that are kept may be kept beside them (`keptEncoding`).
   */
  readonly encodeObject: (document: Document) => Iterable<Buffer>;
  /** The writer of one list. */
  readonly list: (frame: ListFrame) => ListEncoder;
  /** The writer of watches; absent where the format has no streams, whose watches are 406 then. */
  readonly watch?: WatchEncoder;
  /** Writes a Status, of an error or a delete. Statuses are small. */
  readonly encodeStatus: (status: StatusBody) => Buffer;
}

/** A kind in a version. */
export interface KindInVersion {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Options of reading a body. */
export interface DecodeOptions {
  /** True where keys that are sent twice are reported. A format without keys has none. */
  readonly duplicates: boolean;
  /** The kind of a document that does not name its own; undefined where it may be anything. */
  readonly kind: KindInVersion | undefined;
}

/** A body as a value, with the paths of keys that are in it twice. */
export interface DecodedObject {
  readonly value: JsonValue;
  readonly duplicateFields: readonly string[];
}

/** A list without its items, and the field that they are in. */
export interface ListFrame {
  /** Every field but that of the items, kind and apiVersion first. */
  readonly head: JsonObject;
  readonly field: 'items' | 'rows';
  /** The JSON of that field in a list without items. */
  readonly empty: '[]' | 'null';
}

/**
 * Writes a list as `head`, the items with `join` between them, and `tail`; a list without items is
 * `empty` alone.
 */
export interface ListEncoder {
  /**
   * True where `head` holds the length of the items. All of them are encoded before the first byte
   * is sent then, and are in memory together.
   */
  readonly sized: boolean;
  /**
   * `itemsLength` is the length of the items with what joins them, or 0 where the list is not
   * sized.
   */
  readonly head: (itemsLength: number) => Buffer;
  /** An item, in pieces as `encodeObject` makes them. */
  readonly item: (document: Document) => Iterable<Buffer>;
  readonly join: Buffer;
  readonly tail: Buffer;
  readonly empty: () => Buffer;
}

/** Types of watch events (spec 6.1). */
export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/** Writes the events of watches. */
export interface WatchEncoder {
  /** The content type of a watch. */
  readonly mediaType: string;
  /** One event, in parts to be written behind one another. The parts are not changed later. */
  readonly frame: (type: WatchEventType, document: Document) => readonly Buffer[];
}
