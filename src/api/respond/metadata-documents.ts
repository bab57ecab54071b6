import { type Document, documentOf, documentOfJson, type EncodingCache, valueOf } from '../../codec/document.ts';
import { encodeJson } from '../../codec/encode-json.ts';
import { findMetadata, type MetadataPlace } from '../../codec/metadata-place.ts';
import { type MetaVersion, partialObjectMetadata } from '../../codec/partial-object-metadata.ts';
import { rowWithoutObject, type TableFormat, tableRow } from '../../codec/table-definition.ts';
import type { VersionedObject } from '../../registry/definition/registry.ts';

const closeBrace = Buffer.from('}');

/**
 * Returns a function that makes the PartialObjectMetadata of objects from the bytes of their
 * metadata, which are not decoded. Encodings in other formats are cached with the objects.
 */
export function metadataDocuments(meta: MetaVersion): (object: VersionedObject) => Document {
  const metadataOf = metadataJson(meta);
  return (object) => {
    const { json } = object;
    const place = placeIn(object, json);
    if (place) return new MetadataDocument(metadataOf(json, place), object, meta.version);
    return documentOf(partialObjectMetadata(meta, valueOf(object)));
  };
}

/** The place of metadata in the JSON of an object; undefined if metadata may be anywhere. */
function placeIn(object: VersionedObject, json: Buffer): MetadataPlace | undefined {
  return object.metadataPlace ? object.metadataPlace(json) : findMetadata(json);
}

function metadataJson({ group, version }: MetaVersion): (json: Buffer, place: MetadataPlace) => Buffer {
  const front = Buffer.from(`{"kind":"PartialObjectMetadata","apiVersion":"${group}/${version}",`);
  return (json, place) => Buffer.concat([front, place.metadataIn(json), closeBrace]);
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
  const metadataOf = metadataJson(format.meta);
  return (object) => {
    const { json } = object;
    const place = placeIn(object, json);
    if (!place) return documentOf(tableRow(format, valueOf(object)));
    const value = place.decodeWithoutManagers(json, format.complete);
    if (format.includeObject === 'None') return documentOf(tableRow(format, value));
    const row = encodeJson(rowWithoutObject(format, value));
    const front = Buffer.from(`${row.slice(0, -1)},"object":`);
    return documentOfJson(Buffer.concat([front, metadataOf(json, place), closeBrace]));
  };
}

/** Returns an object without its managed fields, which are cut out of its bytes. */
export function withoutManagers(object: VersionedObject): VersionedObject {
  const { json } = object;
  const cut = placeIn(object, json)?.withoutManagers(json) ?? json;
  return cut === json ? object : { json: cut };
}
