import { encodeJson } from '../../codec/encode-json.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { internedText } from '../../meta/interned-json.ts';
import type { StoredValue } from '../port/object-store.ts';
import { StorageError } from '../port/storage-error.ts';

/**
 * The envelope of a stored object, in front of the JSON of its storage version:
 *
 *     0  'c' 'l'   magic
 *     2  uint8     format, 1
 *     3  uint8     encoding of the rest: 0 is plain JSON; others are reserved for encryption
 *     4  uint16    offset in the JSON where `"metadata":` begins
 *     6  uint32    offset in the JSON where the resourceVersion is inserted
 *    10  JSON, without resourceVersion
 *
 * Integers are big-endian. The resourceVersion is the revision of the write, which is unknown
 * before it. So it is inserted when the object is read: one copy by the offsets, without parsing.
 */
interface StoredLayout {
  /** The JSON without resourceVersion; shares memory with the stored value. */
  readonly json: Buffer;
  readonly metadataOffset: number;
  readonly revisionOffset: number;
}

const magic = 0x636c;
const format = 1;
const plainJson = 0;
const headerBytes = 10;
const metadataField = Buffer.from('"metadata":{');

/** An encoded object, and the JSON of its parts, for reuse by the next write. */
export interface EncodedParts {
  readonly value: JsonObject;
  /** The JSON of the larger top-level fields besides metadata, by name. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The bytes to store, and the parts to reuse. */
interface EncodedObject extends EncodedParts {
  readonly bytes: Buffer;
}

/** Minimum length of a part whose text is kept. */
const shortestText = 256;

/** `encodeObjectParts` without reuse of parts. */
export function encodeStoredObject(value: JsonObject): Buffer {
  return encodeObjectParts(value).bytes;
}

/**
 * Encodes an object in its storage version for the store. kind, apiVersion and metadata come first;
 * resourceVersion is left out. The argument is not changed. The texts of parts that are identical
 * in `known` are reused.
 */
export function encodeObjectParts(value: JsonObject, known?: EncodedParts): EncodedObject {
  const { kind, apiVersion, metadata } = value;
  if (typeof kind !== 'string' || typeof apiVersion !== 'string' || !isJsonObject(metadata)) {
    throw new StorageError('InvalidArgument', 'a stored object must have kind, apiVersion and metadata');
  }
  const { resourceVersion: _, ...kept } = metadata;
  // Concatenated manually: JSON.stringify of the whole object would put integer-like keys such as
  // "1" before kind.
  const front = storedHead({ kind, apiVersion });
  const texts = new Map<string, string>();
  let json = `${front}"metadata":${metadataText(kept)}`;
  for (const key of Object.keys(value)) {
    const part = value[key];
    if (part === undefined || inFront.has(key)) continue;
    const text = textOf(key, part, known);
    if (text.length >= shortestText) texts.set(key, text);
    json += `,${JSON.stringify(key)}:${text}`;
  }
  return { value, texts, bytes: enveloped(`${json}}`, front, kept) };
}

/** The beginning of the JSON of all stored objects of a kind, up to `"metadata"`. */
export function storedHead({ kind, apiVersion }: { readonly kind: string; readonly apiVersion: string }): string {
  return `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`;
}

/** True if the JSON of a stored object begins with `head`. Does not check the envelope. */
export function hasStoredHead(value: Uint8Array, head: Uint8Array): boolean {
  for (let index = 0; index < head.length; index++) {
    if (value[headerBytes + index] !== head[index]) return false;
  }
  return true;
}

const inFront: ReadonlySet<string> = new Set(['kind', 'apiVersion', 'metadata']);

function textOf(key: string, part: JsonValue, known: EncodedParts | undefined): string {
  const same = known && typeof part === 'object' && getOwn(known.value, key) === part;
  return (same && known.texts.get(key)) || encodeJson(part);
}

/** Encodes metadata. Long field sets of managers are taken from their known texts. */
function metadataText(metadata: JsonObject): string {
  const managers = metadata['managedFields'];
  const pays =
    Array.isArray(managers) && managers.some((manager) => (fieldsTextOf(manager)?.length ?? 0) >= shortestText);
  if (!pays || Object.keys(metadata).at(-1) !== 'managedFields') return encodeJson(metadata);
  const { managedFields: _, ...rest } = metadata;
  const front = encodeJson(rest).slice(0, -1);
  return `${front}${front === '{' ? '' : ','}"managedFields":[${managers.map(managerText).join(',')}]}`;
}

function fieldsTextOf(manager: JsonValue): string | undefined {
  return isJsonObject(manager) ? internedText(getOwn(manager, 'fieldsV1')) : undefined;
}

function managerText(manager: JsonValue): string {
  const fields = fieldsTextOf(manager);
  if (!isJsonObject(manager) || fields === undefined) return encodeJson(manager);
  const parts = Object.keys(manager).map(
    (key) => `${JSON.stringify(key)}:${key === 'fieldsV1' ? fields : encodeJson(manager[key] ?? null)}`,
  );
  return `{${parts.join(',')}}`;
}

function enveloped(json: string, front: string, metadata: JsonObject): Buffer {
  const metadataOffset = Buffer.byteLength(front);
  const length = Buffer.byteLength(json);
  const bytes = Buffer.allocUnsafe(headerBytes + length);
  bytes.writeUInt16BE(magic, 0);
  bytes.writeUInt8(format, 2);
  bytes.writeUInt8(plainJson, 3);
  bytes.writeUInt16BE(metadataOffset, 4);
  bytes.writeUInt32BE(metadataOffset + Buffer.byteLength(metadataFront(metadata)), 6);
  // As many bytes as characters: the text is ASCII, which is copied without encoding.
  bytes.write(json, headerBytes, length === json.length ? 'latin1' : 'utf8');
  return bytes;
}

/**
 * The text of metadata up to its uid, after which resourceVersion is inserted; without a uid, only
 * the opening.
 */
function metadataFront(metadata: JsonObject): string {
  const front: JsonObject = {};
  for (const [key, value] of Object.entries(metadata)) {
    if (key === '__proto__') break;
    front[key] = value;
    if (key === 'uid') return `"metadata":${encodeJson(front).slice(0, -1)}`;
  }
  return '"metadata":{';
}

/** Returns a value that `compute` makes at each access. */
export function computedValue(
  stored: Pick<StoredValue, 'key' | 'revision' | 'outdated'>,
  compute: () => Uint8Array,
): StoredValue {
  return {
    ...stored,
    computed: true,
    get value() {
      return compute();
    },
  };
}

/** Decodes the envelope. Throws Corrupt if it is malformed. */
export function decodeStoredObject(key: string, value: Uint8Array): StoredLayout {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (bytes.length < headerBytes || bytes.readUInt16BE(0) !== magic || bytes[2] !== format) {
    throw corrupt(key, envelopeProblem(bytes));
  }
  if (bytes[3] !== plainJson) throw corrupt(key, `its encoding ${bytes[3]} is unknown`);
  const json = bytes.subarray(headerBytes);
  const metadataOffset = bytes.readUInt16BE(4);
  const revisionOffset = bytes.readUInt32BE(6);
  const metadataStart = metadataOffset + metadataField.length;
  const field = json.subarray(metadataOffset, metadataStart);
  if (!field.equals(metadataField) || revisionOffset < metadataStart || revisionOffset >= json.length) {
    throw corrupt(key, 'its offsets do not fit its JSON');
  }
  return { json, metadataOffset, revisionOffset };
}

/** The reason why bytes have no envelope: values that no key can decrypt are returned encrypted. */
function envelopeProblem(bytes: Buffer): string {
  const provider = /^[a-z0-9]+:enc:[a-z0-9]+:v[0-9]+:/.exec(bytes.toString('latin1', 0, 64))?.[0];
  if (provider) return `it is encrypted (${provider}), and no configured key decrypts it`;
  const isOurs = bytes.length >= headerBytes && bytes.readUInt16BE(0) === magic;
  return isOurs ? `its format ${bytes[2]} is unknown` : 'it has no envelope';
}

function corrupt(key: string, why: string): StorageError {
  return new StorageError('Corrupt', `the value stored at ${key} cannot be read: ${why}`, { key });
}
