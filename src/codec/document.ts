import { isJsonObject, type JsonObject } from '../meta/json-value.ts';
import { decodeJson } from './decode-json.ts';
import { encodeJson } from './encode-json.ts';

/**
 * A document to be encoded: an object, a Table or a Status. It exists as JSON bytes, as a value, or
 * as both; a missing form is created on request. Immutable.
 */
export interface Document {
  /** The JSON of the whole document. May be created on each access. */
  readonly json: Buffer;
  /**
   * The offset of `"metadata"` in `json`. As a list item the document is `{` followed by `json`
   * from this offset, without kind and apiVersion. 0 if the whole document is the item.
   */
  readonly itemStart: number;
  /** The length of `json` in bytes, or about it, if known without creating the JSON. */
  readonly size?: number;
  /** The document as a value, if it exists already. Must not be changed. */
  readonly value?: JsonObject | undefined;
  /** Decodes the JSON, if its kind says more of the value than the bytes do. */
  decode?(): JsonObject;
  /** The cache of encodings of this document; absent if encodings are not cached. */
  readonly encodings?: EncodingCache;
}

/** Encodings of one document. The keys start with the media type. */
export interface EncodingCache {
  get(name: string): Buffer | undefined;
  set(name: string, bytes: Buffer): unknown;
}

/** Creates a document from JSON that this server has written. */
export function documentOfJson(json: Buffer): Document {
  return { json, itemStart: 0 };
}

/** Creates a document from a value; the JSON is created on first access. */
export function documentOf(value: JsonObject): Document {
  return new ValueDocument(value);
}

class ValueDocument implements Document {
  readonly itemStart = 0;
  readonly value: JsonObject;
  #json: Buffer | undefined;

  constructor(value: JsonObject) {
    this.value = value;
  }

  get json(): Buffer {
    this.#json ??= Buffer.from(encodeJson(this.value));
    return this.#json;
  }
}

/** Returns the value of a document. Must not be changed. */
export function valueOf(document: Pick<Document, 'value' | 'json' | 'decode'>): JsonObject {
  return document.value ?? document.decode?.() ?? parsed(document.json);
}

/** Returns the value of a document as a list item. Must not be changed. */
export function itemValueOf(document: Document): JsonObject {
  return document.itemStart === 0 ? valueOf(document) : parsed(itemJsonOf(document));
}

const openBrace = Buffer.from('{');

/** Returns the JSON of a document as a list item. */
export function itemJsonOf({ json, itemStart }: Pick<Document, 'json' | 'itemStart'>): Buffer {
  return itemStart === 0 ? json : Buffer.concat([openBrace, json.subarray(itemStart)]);
}

/**
 * Returns an encoding of a document from its cache, or encodes it and caches the result if the
 * document has a cache.
 */
export function keptEncoding({ encodings }: Document, name: string, encode: () => Buffer): Buffer {
  const known = encodings?.get(name);
  if (known) return known;
  const bytes = encode();
  encodings?.set(name, bytes);
  return bytes;
}

function parsed(json: Buffer): JsonObject {
  const { value } = decodeJson(json, { duplicates: false });
  return isJsonObject(value) ? value : {};
}
