import { nextTurn } from '../async/next-turn.ts';
import { type EncodingCache, keptEncoding } from '../codec/document.ts';
import { encodeJson } from '../codec/encode-json.ts';
import type { JsonObject } from '../meta/json-value.ts';
import type { CachedObject } from '../storage/objects/cached-object.ts';
import type { VersionedObject } from './registry.ts';
import type { ServedVersion } from './stored-resource.ts';

/**
 * Encodes a cached object in a version: its stored bytes for the storage version, else bytes that
 * are made once and kept for all readers.
 */
export function encodeCached(version: ServedVersion, object: CachedObject): VersionedObject {
  if (version.stored) return object;
  const json = keptEncoding(object, `json ${version.apiVersion}`, () => {
    return encodeObject(version, version.fromStorage(object.decode())).json;
  });
  return new ConvertedObject(version, json, object.encodings);
}

/** A cached object converted to a version other than the storage version. */
class ConvertedObject implements VersionedObject, EncodingCache {
  readonly json: Buffer;
  readonly #version: ServedVersion;
  readonly #kept: EncodingCache;

  constructor(version: ServedVersion, json: Buffer, kept: EncodingCache) {
    this.json = json;
    this.#version = version;
    this.#kept = kept;
  }

  get itemStart(): number {
    return itemStartOf(this.#version);
  }

  get encodings(): EncodingCache {
    return this;
  }

  /** All versions keep their encodings with the stored object. */
  get(name: string): Buffer | undefined {
    return this.#kept.get(this.#named(name));
  }

  set(name: string, bytes: Buffer): void {
    this.#kept.set(this.#named(name), bytes);
  }

  #named(name: string): string {
    return `${name} ${this.#version.apiVersion}`;
  }
}

/** Objects converted before yielding to other requests; takes about a millisecond. */
const encodedAtOnce = 50;

/** Encodes cached objects in a version. Conversion of many objects yields to other requests. */
export async function encodeAll(
  version: ServedVersion,
  objects: readonly CachedObject[],
): Promise<readonly VersionedObject[]> {
  if (version.stored) return objects;
  const encoded: VersionedObject[] = [];
  for (const object of objects) {
    encoded.push(encodeCached(version, object));
    if (encoded.length % encodedAtOnce === 0) await nextTurn();
  }
  return encoded;
}

/**
 * Encodes an object that is in no cache: a dry run, or the last state of a removed one. The
 * object is already in the version.
 */
export function encodeObject(version: ServedVersion, object: JsonObject): VersionedObject {
  const { kind: _kind, apiVersion: _apiVersion, metadata = {}, ...rest } = object;
  const document: JsonObject = { kind: version.kind, apiVersion: version.apiVersion, metadata, ...rest };
  return { json: Buffer.from(encodeJson(document)), itemStart: itemStartOf(version) };
}

function itemStartOf(version: ServedVersion): number {
  return Buffer.byteLength(
    `{"kind":${JSON.stringify(version.kind)},"apiVersion":${JSON.stringify(version.apiVersion)},`,
  );
}
