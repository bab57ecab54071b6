import { performance } from 'node:perf_hooks';
import { type MaybeAsync, type MaybePromise, runMaybeAsync } from '../../async/maybe-promise.ts';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import type { Codec } from '../../codec/codec.ts';
import { decodeStoredCbor } from '../../codec/cbor/cbor-codec.ts';
import { decodeJson } from '../../codec/decode-json.ts';
import { DecodeError } from '../../codec/decode-error.ts';
import { documentOf } from '../../codec/document.ts';
import { kindSchema } from '../../codec/kind-schema.ts';
import { createProtobufCodec } from '../../codec/protobuf/protobuf-codec.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { parseApiVersion } from '../../meta/group-version-kind.ts';
import { isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { applyDefaults } from '../../scheme/apply-defaults.ts';
import { decodeObject } from '../../scheme/decode-object.ts';
import { FieldDecodeError } from '../../scheme/model/field-decode-error.ts';
import type { ObjectSchema } from '../../scheme/model/schema.ts';
import { decodeStoredObject, encodeStoredObject } from '../objects/stored-object.ts';
import { StorageError } from '../port/storage-error.ts';

/** Converts values between kube-apiserver's layout and this server's. */
export interface UpstreamValues {
  /** Returns the bytes to store. */
  toStored(key: string, value: Uint8Array): Uint8Array;
  /**
   * Returns this server's bytes; unchanged if they are not an object. A value that takes long is
   * read in several turns of the event loop, because nothing limits the number of values in it.
   */
  fromStored(value: Uint8Array): MaybePromise<Uint8Array>;
}

interface UpstreamValuesOptions {
  readonly identifiers: Identifiers;
  /** The release whose empty fields objects have. */
  readonly release: string;
  /** True for keys whose values are always JSON. */
  readonly isJson: (key: string) => boolean;
}

const corePackage = 'api.core.v1.';
const openBrace = 0x7b;
/** The prefix of objects in Protobuf. */
const binary = Buffer.from([0x6b, 0x38, 0x73, 0]);
const lineFeed = Buffer.from('\n');

/**
 * Encodes objects as kube-apiserver stores them: in Protobuf with its envelope, or in JSON if they
 * have no message. Reads both, and CBOR, in which newer releases may store custom objects. As in
 * kube-apiserver, a write drops the fields of later releases.
 */
export function upstreamValues({ identifiers, release, isJson }: UpstreamValuesOptions): UpstreamValues {
  const codec = createProtobufCodec(identifiers);
  return {
    toStored(key, value) {
      const { json } = decodeStoredObject(key, value);
      if (isJson(key)) return Buffer.concat([json, lineFeed]);
      return Buffer.concat(codec.encodeObject(documentOf(parsed(json))));
    },
    fromStored(value) {
      return runMaybeAsync(shownValue(value, { codec, identifiers, release }));
    },
  };
}

interface ValueContext extends Pick<UpstreamValuesOptions, 'identifiers' | 'release'> {
  readonly codec: Codec;
}

/** Steps of reading a value, each of which takes time for each value in it. */
function* shownValue(stored: Uint8Array, context: ValueContext): MaybeAsync<void, Uint8Array> {
  const { codec, identifiers, release } = context;
  try {
    let startMs = performance.now();
    const object = objectIn(Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength), codec);
    if (!object) return stored;
    const schema = schemaOf(object, identifiers, release);
    yield yieldIfLong(startMs);
    startMs = performance.now();
    const value = schema ? decodeObject(schema, object).value : object;
    yield yieldIfLong(startMs);
    startMs = performance.now();
    if (schema) addDefaults(schema, value);
    const bytes = encodeStoredObject(value);
    // Its readers take time for each of its bytes.
    yield yieldIfLong(startMs);
    return bytes;
  } catch (error) {
    if (error instanceof DecodeError || error instanceof FieldDecodeError || error instanceof StorageError)
      return stored;
    throw error;
  }
}

function objectIn(bytes: Buffer, codec: Codec): JsonObject | undefined {
  if (bytes[0] === openBrace) return parsed(bytes);
  if (!bytes.subarray(0, binary.length).equals(binary)) {
    const value = decodeStoredCbor(bytes);
    return value !== undefined && isJsonObject(value) ? value : undefined;
  }
  const decoded = codec.decodeObject(bytes, { duplicates: false, kind: undefined, isStored: true });
  return 'value' in decoded && isJsonObject(decoded.value) ? decoded.value : undefined;
}

function parsed(json: Buffer): JsonObject {
  const { value } = decodeJson(json, { duplicates: false });
  if (isJsonObject(value)) return value;
  throw new DecodeError('it is no object');
}

/** The default phases, which kube-apiserver sets when it reads an object. */
const firstPhases: Readonly<Record<string, string>> = {
  PersistentVolumeClaim: 'Pending',
  PersistentVolume: 'Pending',
  Namespace: 'Active',
};

/** The schema of a built-in object; undefined for another one. */
function schemaOf(object: JsonObject, identifiers: Identifiers, release: string): ObjectSchema | undefined {
  const { apiVersion } = object;
  const named = typeof apiVersion === 'string' ? parseApiVersion(apiVersion) : undefined;
  return named && kindSchema({ ...named, kind: kindOf(object) }, identifiers, release);
}

/**
 * Gives a built-in object the defaults and the empty fields that this server writes: kube-apiserver
 * sets defaults when it reads an object. Changes the object.
 */
function addDefaults(schema: ObjectSchema, value: JsonObject): void {
  applyDefaults(schema, value);
  const phase = schema.name.startsWith(corePackage) ? firstPhases[kindOf(value)] : undefined;
  if (phase === undefined) return;
  const status = isJsonObject(value['status']) ? value['status'] : {};
  value['status'] = { ...status, phase: status['phase'] || phase };
}

function kindOf({ kind }: JsonObject): string {
  return typeof kind === 'string' ? kind : '';
}
