import type { JsonObject, JsonValue } from '../meta/json-value.ts';
import type { Document } from './document.ts';
import type { StatusBody } from './status-body.ts';

/**
 * A format of request and response bodies; one row for each media type. The rows are listed in
 * `codecs.ts`. Content negotiation, readers of bodies and writers of responses use that list and
 * name no format. A codec is stateless.
 */
export interface Codec {
  /** Matched against Accept and Content-Type; also the Content-Type of responses. */
  readonly mediaType: string;
  /**
   * True if the encoding of a document is its JSON and a line feed, and list items are joined by
   * commas. Objects are then sent from their stored bytes, and lists from the joined bytes of
   * their items, without a call of the codec for each object.
   */
  readonly verbatim: boolean;
  /** The indented form of this format, used for `pretty`; absent if there is none. */
  readonly pretty?: Codec;
  /** True for a kind that the format can express; absent if it can express all kinds. */
  readonly knows?: (kind: KindInVersion) => boolean;
  /**
   * Parses a document of a request body. Large documents are parsed in several turns of the event
   * loop or in a thread. Throws `DecodeError`, and a 413 `StatusError` for too many values.
   */
  readonly decodeObject: (bytes: Buffer, options: DecodeOptions) => DecodedObject | Promise<DecodedObject>;
  /** Builds the error message for a body that cannot be parsed as an object. */
  readonly unreadable: (problem: string) => string;
  /**
   * Encodes a whole document, in pieces to be written in sequence. Encodings of cached documents
   * may be cached with them (`cachedEncoding`).
   */
  readonly encodeObject: (document: Document) => readonly Buffer[];
  /**
   * Encodes a large document in a thread, into the bytes of `encodeObject`; absent if that takes
   * little time for each size. Throws as `YamlWorker.encode` does.
   */
  readonly encodeInThread?: (document: Document, receiver: Receiver) => Promise<Buffer>;
  /** Creates the encoder of one list. */
  readonly list: (frame: ListFrame) => ListEncoder;
  /** The encoder of watch events. Absent if the format has no streams; a watch is then a 406. */
  readonly watch?: WatchEncoder;
  /** Encodes the Status of an error or a delete. A Status is small. */
  readonly encodeStatus: (status: StatusBody) => Buffer;
}

/** A kind in a version. */
export interface KindInVersion {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Options of parsing a body. */
export interface DecodeOptions {
  /** True if duplicate keys are reported. Ignored by a format without keys. */
  readonly duplicates: boolean;
  /** The kind of a document that does not name its own; undefined if any kind is accepted. */
  readonly kind: KindInVersion | undefined;
  /** True for a stored object, which may exceed the body limit because of defaults. */
  readonly isStored?: boolean;
  /** The name of the user who sent the body: users have equal shares of the parser threads. */
  readonly client?: string;
}

/** The client that a response is encoded for. */
export interface Receiver {
  /** The name of the user: users have equal shares of the threads. */
  readonly client: string;
  /** Aborts when the response is no longer needed. */
  readonly signal: AbortSignal;
}

/** A parsed body, with the paths of its duplicate keys. */
export interface DecodedObject {
  readonly value: JsonValue;
  readonly duplicateFields: readonly string[];
  /** The duplicate keys of YAML as messages of Go's parser, with lines instead of paths. */
  readonly duplicateKeys?: readonly string[];
}

/** A list without its items, and the name of the field for the items. */
export interface ListFrame {
  /** All fields except the items; kind and apiVersion are first. */
  readonly head: JsonObject;
  readonly field: 'items' | 'rows';
  /** The number of items, if it is known in advance. */
  readonly count?: number | undefined;
  /** The JSON value of the field for an empty list. */
  readonly empty: '[]' | 'null';
  /** True if items have kind and apiVersion; items of built-in kinds do not. */
  readonly typedItems: boolean;
}

/**
 * Encodes a list as `head`, the items separated by `join`, and `tail`. An empty list is `empty`
 * alone.
 */
export interface ListEncoder {
  /**
   * True if `head` contains the length of the items. All items are then encoded, and held in
   * memory, before the first byte is sent.
   */
  readonly sized: boolean;
  /**
   * Encodes the start of the list. `itemsLength` is the length in bytes of all items and joins, or
   * 0 if the list is not sized.
   */
  readonly head: (itemsLength: number) => Buffer;
  /** Encodes an item, in pieces as `encodeObject` does. */
  readonly item: (document: Document) => readonly Buffer[];
  /**
   * Encodes consecutive items with their joins in a thread; present if the codec has
   * `encodeInThread`.
   */
  readonly itemsInThread?: (documents: readonly Document[], receiver: Receiver) => Promise<Buffer>;
  readonly join: Buffer;
  readonly tail: Buffer;
  readonly empty: () => Buffer;
}

/** Types of watch events (spec 6.1). */
export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/** Encodes the events of watches. */
export interface WatchEncoder {
  /** The Content-Type of a watch. */
  readonly mediaType: string;
  /** True if WebSocket messages with an event are text. */
  readonly isText?: true;
  /** The number of length bytes at the start of a frame, which WebSocket messages leave out. */
  readonly lengthBytes?: number;
  /** Encodes one event as buffers to be written in sequence. The buffers must not be changed. */
  readonly frame: (type: WatchEventType, document: Document) => readonly Buffer[];
}
