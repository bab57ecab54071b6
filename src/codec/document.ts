import { isJsonObject, type JsonObject } from '../meta/json-value.ts';
import { decodeJson } from './decode-json.ts';
import { encodeJson } from './encode-json.ts';
import { typeEnd } from './metadata-place.ts';

/**
 * A document to be encoded: an object, a Table or a Status. It exists as JSON bytes, as a value, or
 * as both; a missing form is created on request. Immutable.
 */
export interface Document {
  /** The JSON of the whole document. May be created on each access. */
  readonly json: Buffer;
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
  return { json };
}

/** Creates a document from a value; the JSON is created on first access. */
export function documentOf(value: JsonObject): Document {
  return new ValueDocument(value);
}

class ValueDocument implements Document {
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

const openBrace = Buffer.from('{');

/**
 * Returns the JSON of a document as an item of a list: without kind and apiVersion unless items are
 * `typed`.
 */
export function itemJsonOf({ json }: Pick<Document, 'json'>, typed: boolean): Buffer {
  return typed ? json : Buffer.concat([openBrace, json.subarray(typeEnd(json))]);
}

/**
 * Returns an encoding of a document from its cache, or encodes it and caches the result if the
 * document has a cache.
 */
export function cachedEncoding({ encodings }: Document, name: string, encode: () => Buffer): Buffer {
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
