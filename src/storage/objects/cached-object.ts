import { decodeJson } from '../../codec/decode-json.ts';
import { findMetadata, type MetadataPlace } from '../../codec/metadata-place.ts';
import { comma, openBrace } from '../../json/json-cursor.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { withResourceVersion } from '../../meta/object-meta.ts';
import { StorageError } from '../port/storage-error.ts';
import { EncodingBudget, type ObjectEncodings } from './encoding-budget.ts';
import type { HistoryBytes } from './history-bytes.ts';
import { type JoinedRun, noRuns, type RunMember } from './list-bytes-cache.ts';
import { type CompactJson, packJson } from './large-objects.ts';

/** Returns the selectable fields of an object besides metadata.name and metadata.namespace. */
type FieldsOf = (object: JsonObject) => Readonly<Record<string, string>>;

/** The decoding of the objects of a kind; one value for all of them. */
export interface ObjectDecoding {
  readonly fieldsOf?: FieldsOf | undefined;
  /**
   * Adds the parts that every object of the kind has, if another program has stored one without.
   * An error that it throws makes the object Corrupt.
   */
  readonly complete?: ((object: JsonObject) => JsonObject) | undefined;
}

/** The labels and fields that selectors match. */
export interface ObjectIndex {
  readonly labels: ReadonlyMap<string, string>;
  readonly fields: ReadonlyMap<string, string>;
}

/**
 * The cached state of a key, perhaps stale; `object` is undefined if the key did not exist. It is
 * known to be a state of the store's history in the store's `session` (`GetResult.session`).
 */
export interface Suggestion {
  readonly object: CachedObject | undefined;
  readonly session?: string | undefined;
}

/** The most bytes of a UID and the names around it; longer ones are decoded. */
const longestUid = 100;
/** The metadata before the digits of the resourceVersion, if the UID has no escapes. */
const uidBeforeVersion = /[{,]"uid":"([ !#-[\]-~]*)","resourceVersion":"$/;

/** The parts of a cached object. */
interface ObjectParts {
  readonly key: string;
  /** '' for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  /** True if the store should be written even if the object does not change; see `StoredValue`. */
  readonly outdated: boolean;
  readonly json: Buffer | CompactJson;
  /** The offset in `json` of the bytes that a list item has after its opening brace. */
  readonly itemStart: number;
  /** The offset in `json` of the digits of the resourceVersion. */
  readonly digitsAt: number;
  readonly decoding: ObjectDecoding | undefined;
  /** Limits the encodings that are cached with the object; absent if it is in no cache. */
  readonly encodings: EncodingBudget | undefined;
}

/**
 * An object in the cache: the JSON of its storage version, encoded once when it was written, with
 * the resourceVersion inserted once when it entered the cache (docs/architecture.md, invariant 1).
 * Shared by all readers: the bytes may be compressed or copied, but never change. A class, so that
 * lazy fields cost little for many objects.
 */
export class CachedObject implements RunMember {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  readonly outdated: boolean;
  runs: readonly JoinedRun[] = noRuns;
  readonly #itemStart: number;
  readonly #digitsAt: number;
  readonly #decoding: ObjectDecoding | undefined;
  readonly #budget: EncodingBudget | undefined;
  #bytes: Buffer | CompactJson;
  #stage: 'new' | 'present' | 'replaced' = 'new';
  #apart = false;
  #index: ObjectIndex | undefined;
  #value: JsonObject | undefined;
  #encodings: ObjectEncodings | undefined;
  #metadataPlace: MetadataPlace | undefined;

  constructor(parts: ObjectParts) {
    this.key = parts.key;
    this.namespace = parts.namespace;
    this.name = parts.name;
    this.revision = parts.revision;
    this.outdated = parts.outdated;
    this.#itemStart = parts.itemStart;
    this.#digitsAt = parts.digitsAt;
    this.#decoding = parts.decoding;
    this.#budget = parts.encodings;
    this.#bytes = parts.json;
  }

  /**
   * The whole document: `{"kind":...,"apiVersion":...,"metadata":{...`. Made at each call while it
   * is compressed, or if it is computed.
   */
  get json(): Buffer {
    const bytes = this.#bytes;
    return bytes instanceof Uint8Array ? bytes : bytes.json();
  }

  /** Reports whether `json` begins with some bytes, at most 512. Makes no JSON. */
  beginsWith(text: Buffer): boolean {
    const bytes = this.#bytes;
    const beginning = bytes instanceof Uint8Array ? bytes : bytes.beginning;
    return beginning.subarray(0, text.length).equals(text);
  }

  /** Length of `json` in bytes. */
  get size(): number {
    const bytes = this.#bytes;
    return bytes instanceof Uint8Array ? bytes.length : bytes.size;
  }

  /** True while the object is the present state of its key. */
  get isCurrent(): boolean {
    return this.#stage === 'present';
  }

  /** True once the cache has seen that its key has a later state or none. */
  get isReplaced(): boolean {
    return this.#stage === 'replaced';
  }

  /** Marks the object as the present state of its key. */
  enter(): void {
    this.#stage = 'present';
  }

  /**
   * Marks the object as replaced: drops its cached list bytes and its encodings. History may keep
   * it, and its bytes move to `history`, if that is given.
   */
  retire(history?: HistoryBytes): void {
    this.#stage = 'replaced';
    this.#encodings?.clear();
    for (const run of this.runs) run.forget();
    if (history && !this.#apart) this.#move((length) => history.take(length));
  }

  /**
   * Keeps the bytes out of the buffers that objects share. For holders that may keep the object
   * longer than the history does: they would keep the bytes of many others.
   */
  keepApart(): void {
    this.#apart = true;
    const bytes = this.#bytes;
    const isShared = bytes instanceof Uint8Array && bytes.buffer.byteLength > bytes.length;
    if (isShared) this.#move((length) => Buffer.allocUnsafeSlow(length));
  }

  #move(take: (length: number) => Buffer): void {
    const bytes = this.#bytes;
    if (!(bytes instanceof Uint8Array)) return;
    const moved = take(bytes.length);
    bytes.copy(moved);
    this.#bytes = moved;
  }

  /** Compresses a present object, in another thread. */
  async pack(): Promise<void> {
    const bytes = this.#bytes;
    if (!this.isCurrent || !(bytes instanceof Uint8Array)) return;
    const packed = await packJson(bytes);
    if (packed && this.isCurrent) this.#bytes = packed;
  }

  /** Bytes of the object as a list item, with a comma before it. */
  get itemBytes(): number {
    return this.size - this.#itemStart + 2;
  }

  /** Writes the object as a list item, with a comma before it; returns the end offset. */
  copyItem(target: Buffer, at: number): number {
    target[at] = comma;
    target[at + 1] = openBrace;
    return at + 2 + this.json.copy(target, at + 2, this.#itemStart);
  }

  /** Bytes in other versions and media types, by key; each is added by its first reader. */
  get encodings(): ObjectEncodings {
    this.#encodings ??= (this.#budget ?? new EncodingBudget()).createCache();
    return this.#encodings;
  }

  /** The place of metadata in `json`; undefined if it does not follow kind and apiVersion. */
  metadataPlace(json: Buffer): MetadataPlace | undefined {
    this.#metadataPlace ??= findMetadata(json);
    return this.#metadataPlace;
  }

  /** Drops the cached encodings. */
  dropEncodings(): void {
    this.#encodings?.clear();
  }

  /**
   * The UID in the metadata; '' if it cannot be read. It usually precedes the resourceVersion, so
   * that metadata need not be decoded.
   */
  get uid(): string {
    const bytes = this.#bytes;
    if (bytes instanceof Uint8Array) {
      const before = bytes.toString('latin1', Math.max(0, this.#digitsAt - longestUid), this.#digitsAt);
      const found = uidBeforeVersion.exec(before)?.[1];
      if (found !== undefined) return found;
    }
    const metadata = this.#value?.['metadata'] ?? this.#decodeMetadata();
    const uid = isJsonObject(metadata) ? metadata['uid'] : undefined;
    return typeof uid === 'string' ? uid : '';
  }

  #decodeMetadata(): JsonValue | undefined {
    const { json } = this;
    const place = this.metadataPlace(json);
    if (!place) return this.#tryDecode()?.['metadata'];
    const { value } = decodeJson(Buffer.from(`{${place.metadataIn(json).toString('utf8')}}`), { duplicates: false });
    return isJsonObject(value) ? value['metadata'] : undefined;
  }

  /** Labels and selectable fields, computed on first use. */
  index(): ObjectIndex {
    this.#index ??= this.#buildIndex();
    return this.#index;
  }

  /**
   * The result of `decode`, while it is kept (`RecentObjects`). Shared: nobody may change it.
   */
  get value(): JsonObject | undefined {
    return this.#value;
  }

  /** Sets or drops `value`. */
  keepValue(value: JsonObject | undefined): void {
    this.#value = value;
  }

  /** Decodes the storage version. Returns a new copy at each call, which the caller may change. */
  decode(): JsonObject {
    try {
      const { value } = decodeJson(this.json, { duplicates: false });
      if (isJsonObject(value)) return this.#decoding?.complete?.(value) ?? value;
    } catch (cause) {
      throw this.#corrupt(cause);
    }
    throw this.#corrupt(undefined);
  }

  /** The same state with the revision of a later event, for a DELETED event. */
  withRevision(revision: number): CachedObject {
    const { json, key, namespace, name, outdated } = this;
    const [digits, end] = [String(revision), this.#digitsAt + String(this.revision).length];
    const changed = Buffer.allocUnsafeSlow(json.length - end + this.#digitsAt + digits.length);
    const rest = json.copy(changed, 0, 0, this.#digitsAt) + changed.write(digits, this.#digitsAt, 'latin1');
    json.copy(changed, rest, end);
    const [itemStart, digitsAt, decoding, encodings] = [this.#itemStart, this.#digitsAt, this.#decoding, this.#budget];
    const parts = { key, namespace, name, revision, outdated, json: changed, itemStart, digitsAt, decoding, encodings };
    const object = new CachedObject(parts);
    object.keepValue(this.#value && withResourceVersion(this.#value, digits));
    return object;
  }

  /**
   * An object that cannot be decoded has only its key's fields: it must not break lists of other
   * objects.
   */
  #buildIndex(): ObjectIndex {
    const fields = new Map([
      ['metadata.name', this.name],
      ['metadata.namespace', this.namespace],
    ]);
    const labels = new Map<string, string>();
    const object = this.#value ?? this.#tryDecode();
    if (!object) return { labels, fields };
    for (const [path, value] of Object.entries(this.#decoding?.fieldsOf?.(object) ?? {})) fields.set(path, value);
    const metadata = object['metadata'];
    const written = isJsonObject(metadata) ? metadata['labels'] : undefined;
    if (!isJsonObject(written)) return { labels, fields };
    for (const [label, value] of Object.entries(written)) if (typeof value === 'string') labels.set(label, value);
    return { labels, fields };
  }

  #tryDecode(): JsonObject | undefined {
    try {
      return this.decode();
    } catch (error) {
      if (error instanceof StorageError && error.code === 'Corrupt') return undefined;
      throw error;
    }
  }

  #corrupt(cause: unknown): StorageError {
    return new StorageError('Corrupt', `the value stored at ${this.key} is not a JSON object`, {
      key: this.key,
      cause,
    });
  }
}
