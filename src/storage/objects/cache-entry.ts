import { decodeJson } from '../../codec/decode-json.ts';
import { type MetadataSpan, metadataSpan } from '../../codec/metadata-span.ts';
import { isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { withResourceVersion } from '../../meta/object-meta.ts';
import type { CachedObject, DocumentParts, ObjectIndex } from './cached-object.ts';
import { EncodingBudget, type ObjectEncodings } from './encoding-budget.ts';
import type { HistoryBytes } from './history-bytes.ts';
import type { ItemSlab, SlabMember, SlabWriter } from './item-slab.ts';
import { type JoinedRun, noRuns, type RunMember } from './list-bytes-cache.ts';
import { copyDocument, itemFront, type ListItem } from './list-item.ts';
import type { StoredValue } from '../port/object-store.ts';
import { StorageError } from '../port/storage-error.ts';
import { PackedJson, packJson } from './packed-json.ts';
import { copyDocumentFrom, revisionInsertion } from './revision-insertion.ts';
import { checkStored } from './check-stored.ts';
import { decodeStoredObject } from './stored-object.ts';

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

/** The names of a stored object, and how it is decoded. */
export interface ReadContext {
  readonly namespace: string;
  readonly name: string;
  /**
   * The kind that the value must have; a value of another one, or an incomplete one, is Corrupt.
   * Absent for values that need no check, because this server has just written them.
   */
  readonly kind?: string | undefined;
  readonly decoding?: ObjectDecoding | undefined;
  /** True if items of lists have kind and apiVersion, as those of custom resources do. */
  readonly wholeItems?: boolean | undefined;
  /** Limits the encodings that are cached with the object; absent if it is in no cache. */
  readonly encodings?: EncodingBudget | undefined;
}

/** The options for all objects of a resource. */
export type ResourceReading = Pick<ReadContext, 'kind' | 'decoding' | 'wholeItems'>;

/** The place of an object's bytes in the cache; absent: a buffer of its own. */
export interface BytesPlace {
  /** Takes the bytes, unless there are too many. */
  readonly slabs?: SlabWriter;
  /** The document, if it is kept compressed. */
  readonly packed?: PackedJson | undefined;
}

/**
 * Reads a stored value: copies its JSON once, with the resourceVersion inserted, to its place.
 * Throws Corrupt for an invalid envelope, and for a damaged value if the kind is given; the JSON is
 * not parsed before it is used.
 */
export function cachedObject(
  stored: StoredValue,
  context: ReadContext,
  { slabs, packed }: BytesPlace = nowhere,
): CacheEntry {
  if (context.kind !== undefined) checkStored(stored, context.kind);
  const insertion = revisionInsertion(stored);
  const { json, metadataOffset, length } = insertion;
  // After the brace that an item begins with.
  const itemStart = context.wholeItems ? 1 : metadataOffset;
  const parts = {
    itemStart,
    itemLength: length - itemStart + itemFront.length,
    digitsAt: insertion.digitsAt - itemStart,
    metadataStart: metadataOffset,
    outdated: stored.outdated === true,
  };
  if (packed) return new CacheEntry(stored.key, stored.revision, context, { ...parts, whole: packed });
  const place = slabs?.place(json.subarray(0, itemStart), parts.itemLength);
  if (!place) {
    const target = Buffer.allocUnsafeSlow(length);
    copyDocumentFrom(insertion, 0, target, 0);
    return new CacheEntry(stored.key, stored.revision, context, { ...parts, whole: target });
  }
  const { slab, start } = place;
  slab.bytes.write(itemFront, start, 'latin1');
  copyDocumentFrom(insertion, itemStart, slab.bytes, start + itemFront.length);
  const object = new CacheEntry(stored.key, stored.revision, context, { ...parts, slab, slabStart: start });
  slab.add(object);
  return object;
}

const nowhere: BytesPlace = Object.freeze({});

/** True if storing `encoded` would not change `object`. */
export function isUnchanged(object: CachedObject, encoded: Uint8Array): boolean {
  const { json, revisionOffset } = decodeStoredObject(object.key, encoded);
  const grown = object.size - json.length;
  if (grown <= 0) return false;
  const current = object.json;
  const tail = current.subarray(revisionOffset + grown);
  if (!tail.equals(json.subarray(revisionOffset))) return false;
  return current.subarray(0, revisionOffset).equals(json.subarray(0, revisionOffset));
}

/** True if decoding the stored value would give this object. */
export function isStored(object: CachedObject, stored: StoredValue): boolean {
  return object.revision === stored.revision && object.key === stored.key && isUnchanged(object, stored.value);
}

/** The location of an object's bytes: a document of its own, or an item in a slab. */
interface ObjectParts {
  readonly itemStart: number;
  readonly itemLength: number;
  /** Offset of the resourceVersion's digits, relative to `itemStart`. */
  readonly digitsAt: number;
  readonly metadataStart: number;
  readonly outdated: boolean;
  readonly whole?: Buffer | PackedJson;
  readonly slab?: ItemSlab;
  readonly slabStart?: number;
}

/**
 * The CachedObject of this cache. A class, so that lazy fields cost little for many objects. Its
 * bytes may move between slabs and a buffer of its own, or be compressed, but never change.
 */
export class CacheEntry implements CachedObject, ListItem, SlabMember, RunMember {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  readonly outdated: boolean;
  readonly itemStart: number;
  readonly itemLength: number;
  readonly metadataStart: number;
  runs: readonly JoinedRun[] = noRuns;
  readonly #digitsAt: number;
  readonly #decoding: ObjectDecoding | undefined;
  #whole: Buffer | PackedJson | undefined;
  #slab: ItemSlab | undefined;
  #slabStart: number;
  #current = false;
  #replaced = false;
  #apart = false;
  /** The fields of `metadataSpan`; 0 until it is used. */
  #metadataEnd = 0;
  #managersAt = 0;
  #index: ObjectIndex | undefined;
  #value: JsonObject | undefined;
  readonly #encodingBudget: EncodingBudget | undefined;
  #encodings: ObjectEncodings | undefined;

  constructor(key: string, revision: number, context: ReadContext, parts: ObjectParts) {
    this.key = key;
    this.namespace = context.namespace;
    this.name = context.name;
    this.revision = revision;
    this.outdated = parts.outdated;
    this.itemStart = parts.itemStart;
    this.itemLength = parts.itemLength;
    this.metadataStart = parts.metadataStart;
    this.#digitsAt = parts.digitsAt;
    this.#decoding = context.decoding;
    this.#encodingBudget = context.encodings;
    this.#whole = parts.whole;
    this.#slab = parts.slab;
    this.#slabStart = parts.slabStart ?? 0;
  }

  get json(): Buffer {
    const whole = this.#whole;
    if (whole instanceof PackedJson) return whole.json(this.size);
    return whole ?? this.#copied(Buffer.allocUnsafe(this.size));
  }

  /** The beginning of the document, at least up to `"metadata"`. */
  get #front(): Buffer {
    return this.#whole instanceof PackedJson ? this.#whole.front : this.json;
  }

  get size(): number {
    return this.itemStart + this.itemLength - itemFront.length;
  }

  beginsWith(text: Buffer): boolean {
    const slab = this.#slab;
    if (!slab) return this.#front.subarray(0, text.length).equals(text);
    if (text.length <= this.itemStart) return slab.head.subarray(0, text.length).equals(text);
    // A head of one byte, which is also the second one of an item.
    const from = this.#slabStart + itemFront.length - this.itemStart;
    return slab.bytes.subarray(from, from + text.length).equals(text);
  }

  get head(): Buffer {
    return this.#slab?.head ?? this.#front.subarray(0, this.itemStart);
  }

  get inPlace(): DocumentParts | undefined {
    const slab = this.#slab;
    return slab && { front: slab.headText, rest: slab.tailAt(this.#slabStart, this.itemLength) };
  }

  /** Searched once: the bytes of an object do not change. */
  get metadataSpan(): MetadataSpan {
    if (this.#metadataEnd === 0) {
      const rest = this.inPlace?.rest ?? this.json.subarray(this.itemStart);
      const span = metadataSpan(rest.subarray(this.metadataStart - this.itemStart));
      this.#metadataEnd = span.end;
      this.#managersAt = span.managersAt;
    }
    return { end: this.#metadataEnd, managersAt: this.#managersAt };
  }

  get isCurrent(): boolean {
    return this.#current;
  }

  get isReplaced(): boolean {
    return this.#replaced;
  }

  get slab(): ItemSlab | undefined {
    return this.#slab;
  }

  get slabStart(): number {
    return this.#slabStart;
  }

  /** Marks the object as the present state of its key. Only present states are moved into slabs. */
  enter(): void {
    this.#current = true;
  }

  /**
   * Marks the object as replaced. History may keep it, so it leaves its slab, its cached list bytes
   * and its encodings, and its bytes move to those of the history, if there is one.
   */
  retire(history?: HistoryBytes): void {
    this.#current = false;
    this.#replaced = true;
    this.dropEncodings();
    for (const run of this.runs) run.forget();
    this.#slab?.remove(this);
    const shared = this.#apart ? undefined : history;
    if (this.#whole instanceof PackedJson || (!this.#slab && !shared)) return;
    this.#whole = this.#copied(shared?.take(this.size) ?? Buffer.allocUnsafeSlow(this.size));
    this.#slab = undefined;
  }

  keepApart(): void {
    this.#apart = true;
    const whole = this.#whole;
    const isShared = whole instanceof Buffer && whole.buffer.byteLength > whole.length;
    if (isShared) this.#whole = this.#copied(Buffer.allocUnsafeSlow(this.size));
  }

  /** Drops the cached encodings. */
  dropEncodings(): void {
    this.#encodings?.clear();
  }

  /**
   * Copies the bytes out of the slab, which has already dropped the object. The buffer is not from
   * Node's shared pool, which a long-lived object would keep alive.
   */
  standAlone(): void {
    this.#whole = this.#copied(Buffer.allocUnsafeSlow(this.size));
    this.#slab = undefined;
  }

  /** Compresses a present object, in another thread. */
  async pack(): Promise<void> {
    if (!this.#current || this.#whole instanceof PackedJson) return;
    const packed = await packJson(this.json, this.metadataStart);
    if (!packed || !this.#current) return;
    this.#slab?.remove(this);
    this.#slab = undefined;
    this.#whole = packed;
  }

  moveInto(slab: ItemSlab, start: number): void {
    // A compressed object stays so, although a list has inflated it.
    if (!this.#current || this.#whole instanceof PackedJson || !this.head.equals(slab.head)) return;
    this.#slab?.remove(this);
    this.#whole = undefined;
    this.#slab = slab;
    this.#slabStart = start;
    slab.add(this);
  }

  copyItem(target: Buffer, at: number): number {
    const slab = this.#slab;
    if (!slab) return copyDocument(this.json, this.itemStart, target, at);
    return at + slab.bytes.copy(target, at, this.#slabStart, this.#slabStart + this.itemLength);
  }

  /** Copies the whole document to a buffer of its size. */
  #copied(target: Buffer): Buffer {
    const [whole, slab] = [this.#whole, this.#slab];
    if (whole instanceof Buffer) {
      whole.copy(target);
      return target;
    }
    if (!slab) throw new TypeError(`${this.key} has lost its bytes`);
    slab.head.copy(target);
    slab.bytes.copy(target, slab.head.length, this.#slabStart + itemFront.length, this.#slabStart + this.itemLength);
    return target;
  }

  get encodings(): ObjectEncodings {
    this.#encodings ??= (this.#encodingBudget ?? new EncodingBudget()).createCache();
    return this.#encodings;
  }

  index(): ObjectIndex {
    this.#index ??= this.#buildIndex();
    return this.#index;
  }

  get value(): JsonObject | undefined {
    return this.#value;
  }

  keepValue(value: JsonObject | undefined): void {
    this.#value = value;
  }

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
  withRevision(revision: number): CacheEntry {
    const { json } = this;
    const [digits, oldDigits] = [String(revision), String(this.revision)];
    const digitsStart = this.itemStart + this.#digitsAt;
    const grown = digits.length - oldDigits.length;
    const whole = Buffer.allocUnsafeSlow(json.length + grown);
    json.copy(whole, 0, 0, digitsStart);
    whole.write(digits, digitsStart, 'latin1');
    json.copy(whole, digitsStart + digits.length, digitsStart + oldDigits.length);
    const { namespace, name } = this;
    const context = { namespace, name, decoding: this.#decoding, encodings: this.#encodingBudget };
    const itemLength = this.itemLength + grown;
    const entry = new CacheEntry(this.key, revision, context, {
      itemStart: this.itemStart,
      itemLength,
      digitsAt: this.#digitsAt,
      metadataStart: this.metadataStart,
      outdated: this.outdated,
      whole,
    });
    entry.keepValue(this.#value && withResourceVersion(this.#value, digits));
    return entry;
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
