import { type Document, documentOf, documentOfJson, type EncodingCache, valueOf } from '../../codec/document.ts';
import { encodeJson } from '../../codec/encode-json.ts';
import { type MetadataSpan, metadataSpan } from '../../codec/metadata-span.ts';
import { type MetaVersion, partialObjectMetadata } from '../../codec/partial-object-metadata.ts';
import { rowWithoutObject, type TableFormat, tableRow } from '../../codec/table.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { VersionedObject } from '../../registry/registry.ts';

const closeBrace = Buffer.from('}');

/**
 * Returns a function that makes the PartialObjectMetadata of objects from the bytes of their
 * metadata, which are not decoded. Encodings in other formats are cached with the objects.
 */
export function metadataDocuments(meta: MetaVersion): (object: VersionedObject) => Document {
  const front = Buffer.from(`{"kind":"PartialObjectMetadata","apiVersion":"${meta.group}/${meta.version}",`);
  return (object) => {
    const bytes = bytesOf(object);
    if (!bytes) return documentOf(partialObjectMetadata(meta, valueOf(object)));
    const json = Buffer.concat([front, bytes.json.subarray(0, bytes.span.end), closeBrace]);
    return new MetadataDocument(json, object, meta.version);
  };
}

/** The metadata of an object. Its encodings are in the cache of the object. */
class MetadataDocument implements Document, EncodingCache {
  readonly itemStart = 0;
  readonly json: Buffer;
  readonly #object: VersionedObject;
  readonly #version: string;

  constructor(json: Buffer, object: VersionedObject, version: string) {
    this.json = json;
    this.#object = object;
    this.#version = version;
  }

  get encodings(): EncodingCache {
    return this;
  }

  get(name: string): Buffer | undefined {
    return this.#object.encodings?.get(this.#named(name));
  }

  set(name: string, bytes: Buffer): void {
    this.#object.encodings?.set(this.#named(name), bytes);
  }

  #named(name: string): string {
    return `${name} metadata ${this.#version}`;
  }
}

/**
 * Returns a function that makes the rows of a Table. The managed fields are decoded only if rows
 * contain whole objects.
 */
export function rowDocuments(format: TableFormat): (object: VersionedObject) => Document {
  if (format.includeObject === 'Object') return (object) => documentOf(tableRow(format, valueOf(object)));
  if (format.includeObject === 'None') return (object) => documentOf(tableRow(format, valueWithoutManagers(object)));
  const metadataOf = metadataDocuments(format.meta);
  return (object) => {
    const row = encodeJson(rowWithoutObject(format, valueWithoutManagers(object)));
    const front = Buffer.from(`${row.slice(0, -1)},"object":`);
    return documentOfJson(Buffer.concat([front, metadataOf(object).json, closeBrace]));
  };
}

/** Decodes an object without its managed fields, which are often half of its bytes. */
function valueWithoutManagers(object: VersionedObject): JsonObject {
  return valueOf(withoutManagers(object));
}

/** Returns an object without its managed fields, which are cut out of its bytes. */
export function withoutManagers(object: VersionedObject): VersionedObject {
  const bytes = bytesOf(object);
  if (!bytes || bytes.span.managersAt === 0) return object;
  const { front, json, span } = bytes;
  const rest = [json.subarray(0, span.managersAt), json.subarray(span.end - 1)];
  return { json: Buffer.concat([front, ...rest]), itemStart: front.length };
}

/** The bytes of an object, not copied: kind and apiVersion, and the rest from `"metadata"` on. */
interface ObjectBytes {
  readonly front: Buffer;
  readonly json: Buffer;
  readonly span: MetadataSpan;
}

/** Returns the bytes of an object; undefined if its metadata may be at any place. */
function bytesOf(object: VersionedObject): ObjectBytes | undefined {
  const { inPlace, itemStart, metadataStart = itemStart } = object;
  if (inPlace) {
    const [front, { rest }] = [Buffer.from(inPlace.front, 'latin1'), inPlace];
    const inRest = metadataStart - front.length;
    if (inRest === 0) return withSpan(object, front, rest);
    return withSpan(object, Buffer.concat([front, rest.subarray(0, inRest)]), rest.subarray(inRest));
  }
  if (itemStart === 0) return undefined;
  const { json } = object;
  return withSpan(object, json.subarray(0, metadataStart), json.subarray(metadataStart));
}

function withSpan(object: VersionedObject, front: Buffer, json: Buffer): ObjectBytes {
  return { front, json, span: object.metadataSpan ?? metadataSpan(json) };
}
