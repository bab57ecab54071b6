import { nextTurn } from '../../async/yield-if-long.ts';
import { type EncodingCache, cachedEncoding } from '../../codec/document.ts';
import { encodeJson } from '../../codec/encode-json.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { CachedObject } from '../../storage/objects/cached-object.ts';
import type { VersionedObject } from '../definition/registry.ts';
import type { ServedVersion } from '../definition/stored-resource.ts';

/**
 * Encodes a cached object in a version: its stored bytes for the storage version, else bytes that
 * are made once and kept for all readers.
 */
export function encodeCached(version: ServedVersion, object: CachedObject): VersionedObject {
  return version.stored ? object : new ConvertedObject(version, object);
}

/**
 * A cached object converted to a version other than the storage version. Converted on the first
 * use that no kept encoding serves.
 */
class ConvertedObject implements VersionedObject, EncodingCache {
  readonly #version: ServedVersion;
  readonly #object: CachedObject;
  #value: JsonObject | undefined;

  constructor(version: ServedVersion, object: CachedObject) {
    this.#version = version;
    this.#object = object;
  }

  get json(): Buffer {
    const name = `json ${this.#version.apiVersion}`;
    return cachedEncoding(this.#object, name, () => Buffer.from(encodeJson(this.value)));
  }

  /** The stored version is about as long. */
  get size(): number {
    return this.#object.size;
  }

  get value(): JsonObject {
    const { value = this.#object.decode() } = this.#object;
    this.#value ??= withTypeFirst(this.#version, this.#version.fromStorage(value));
    return this.#value;
  }

  get encodings(): EncodingCache {
    return this;
  }

  /** All versions keep their encodings with the stored object. */
  get(name: string): Buffer | undefined {
    return this.#object.encodings.get(this.#named(name));
  }

  set(name: string, bytes: Buffer): void {
    this.#object.encodings.set(this.#named(name), bytes);
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
  return { json: Buffer.from(encodeJson(withTypeFirst(version, object))) };
}

function withTypeFirst({ kind, apiVersion }: ServedVersion, object: JsonObject): JsonObject {
  const { kind: _kind, apiVersion: _apiVersion, metadata = {}, ...rest } = object;
  return { kind, apiVersion, metadata, ...rest };
}
