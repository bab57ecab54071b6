import { isJsonObject, type JsonObject } from '../meta/json-value.ts';
import { decodeJson } from './decode-json.ts';
import { encodeJson } from './encode-json.ts';

/**
 * A document that is to be written in some format: an object, a Table, a Status. It is at hand as
 * the bytes of its JSON, as a value, or both; what is missing is made when it is requested.
 * Immutable.
 */
export interface Document {
  /** The whole document. May be made at each call. */
  readonly json: Buffer;
  /**
   * Where `"metadata"` begins in `json`. As an item of a list the document is `{` and `json` from
   * here, without kind and apiVersion; 0 where the whole document is the item.
   */
  readonly itemStart: number;
  /** Bytes of `json`, where they are known without it. */
  readonly size?: number;
  /** The same as a value, where it exists already. Not to be changed. */
  readonly value?: JsonObject;
  /** Encodings of the document that are kept as long as it is; absent where nothing is kept. */
  readonly encodings?: EncodingCache;
}

/** Encodings of one document, by names that start with the media type. */
export interface EncodingCache {
  get(name: string): Buffer | undefined;
  set(name: string, bytes: Buffer): unknown;
}

/** A document of bytes that were made by this server. */
export function documentOfJson(json: Buffer): Document {
  return { json, itemStart: 0 };
}

/** A document of a value, whose JSON is made when it is requested. */
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

/** The value of a document. Not to be changed. */
export function valueOf({ value, json }: Pick<Document, 'value' | 'json'>): JsonObject {
  return value ?? parsed(json);
}

/** The value that a document has as an item of a list. Not to be changed. */
export function itemValueOf(document: Document): JsonObject {
  return document.itemStart === 0 ? valueOf(document) : parsed(itemJsonOf(document));
}

const openBrace = Buffer.from('{');

/** The JSON that a document has as an item of a list. */
export function itemJsonOf({ json, itemStart }: Pick<Document, 'json' | 'itemStart'>): Buffer {
  return itemStart === 0 ? json : Buffer.concat([openBrace, json.subarray(itemStart)]);
}

/** An encoding of a document, kept with it where it keeps any. */
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
