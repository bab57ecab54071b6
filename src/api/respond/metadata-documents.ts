import { type Document, documentOf, documentOfJson, type EncodingCache, valueOf } from '../../codec/document.ts';
import { encodeJson } from '../../codec/encode-json.ts';
import { type MetadataSpan, metadataSpan } from '../../codec/metadata-span.ts';
import { type MetaVersion, partialObjectMetadata } from '../../codec/partial-object-metadata.ts';
import { rowWithoutObject, type TableFormat, tableRow } from '../../codec/table.ts';
import type { VersionedObject } from '../../registry/definition/registry.ts';

const closeBrace = Buffer.from('}');

/**
 * Returns a function that makes the PartialObjectMetadata of objects from the bytes of their
 * metadata, which are not decoded. Encodings in other formats are cached with the objects.
 */
export function metadataDocuments(meta: MetaVersion): (object: VersionedObject) => Document {
  const metadataOf = metadataJson(meta);
  return (object) => {
    const json = metadataOf(spannedOf(object));
    if (json) return new MetadataDocument(json, object, meta.version);
    return documentOf(partialObjectMetadata(meta, valueOf(object)));
  };
}

/** The JSON of an object, and the place of metadata in it; no place: metadata may be anywhere. */
interface SpannedJson {
  readonly json: Buffer;
  readonly span: MetadataSpan | undefined;
}

function spannedOf({ json }: VersionedObject): SpannedJson {
  return { json, span: metadataSpan(json) };
}

function metadataJson({ group, version }: MetaVersion): (object: SpannedJson) => Buffer | undefined {
  const front = Buffer.from(`{"kind":"PartialObjectMetadata","apiVersion":"${group}/${version}",`);
  return ({ json, span }) => span && Buffer.concat([front, json.subarray(span.start, span.end), closeBrace]);
}

/** The metadata of an object. Its encodings are in the cache of the object. */
class MetadataDocument implements Document, EncodingCache {
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
  if (format.includeObject === 'None') {
    return (object) => documentOf(tableRow(format, valueOf(withoutManagers(object))));
  }
  const metadataOf = metadataJson(format.meta);
  return (object) => {
    const spanned = spannedOf(object);
    const value = valueOf(cutManagers(object, spanned));
    const metadata = metadataOf(spanned);
    if (!metadata) return documentOf(tableRow(format, value));
    const row = encodeJson(rowWithoutObject(format, value));
    const front = Buffer.from(`${row.slice(0, -1)},"object":`);
    return documentOfJson(Buffer.concat([front, metadata, closeBrace]));
  };
}

/** Returns an object without its managed fields, which are cut out of its bytes. */
export function withoutManagers(object: VersionedObject): VersionedObject {
  return cutManagers(object, spannedOf(object));
}

/** Managed fields are often half of the bytes of an object, and would be decoded with it. */
function cutManagers(object: VersionedObject, { json, span }: SpannedJson): VersionedObject {
  if (!span || span.managersAt === 0) return object;
  return { json: Buffer.concat([json.subarray(0, span.managersAt), json.subarray(span.end - 1)]) };
}
