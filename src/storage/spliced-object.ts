import { decodeJson } from '../codec/decode-json.ts';
import { isJsonObject, type JsonObject } from '../meta/json-value.ts';
import type { CachedObject, ObjectIndex } from './cached-object.ts';
import type { StoredValue } from './object-store.ts';
import { StorageError } from './storage-error.ts';
import { decodeStoredObject } from './stored-object.ts';

/** Gives the selectable fields of an object beyond metadata.name and metadata.namespace. */
export type FieldsOf = (object: JsonObject) => Readonly<Record<string, string>>;

/** What a stored object is read with. */
export interface ReadContext {
  readonly namespace: string;
  readonly name: string;
  readonly fieldsOf?: FieldsOf | undefined;
}

const openBrace = 0x7b;
const closeBrace = 0x7d;
const field = '"resourceVersion":"';

/**
 * Reads a stored value: its JSON with the resourceVersion put in, in one copy. Throws Corrupt where the envelope cannot be
 * read; the JSON itself is looked at only when something asks for it.
 */
export function cachedObject(stored: StoredValue, context: ReadContext): SplicedObject {
  const { json, metadataOffset, revisionOffset } = decodeStoredObject(stored.key, stored.value);
  const first = json[revisionOffset - 1] === openBrace;
  const last = json[revisionOffset] === closeBrace;
  const front = first ? field : `,${field}`;
  const back = first && !last ? '",' : '"';
  const parts: SplicedParts = {
    json: splice(json, revisionOffset, revisionOffset, `${front}${stored.revision}${back}`),
    itemStart: metadataOffset,
    digitsStart: revisionOffset + front.length,
  };
  return new SplicedObject(stored.key, stored.revision, context, parts);
}

/** Whether storing `encoded` would change nothing of `object`. */
export function isUnchanged(object: CachedObject, encoded: Uint8Array): boolean {
  const stored = { key: object.key, value: encoded, revision: object.revision };
  return cachedObject(stored, object).json.equals(object.json);
}

/** The buffer is not taken from Node's shared pool: there a small object would keep its neighbours' 8 KiB alive. */
function splice(source: Buffer, start: number, end: number, text: string): Buffer {
  const target = Buffer.allocUnsafeSlow(source.length - (end - start) + text.length);
  source.copy(target, 0, 0, start);
  target.write(text, start, 'latin1');
  source.copy(target, start + text.length, end);
  return target;
}

interface SplicedParts {
  readonly json: Buffer;
  readonly itemStart: number;
  /** Where the digits of the resourceVersion begin in `json`. */
  readonly digitsStart: number;
}

/** The CachedObject of this cache. A class because there are many: what is computed late costs nothing before. */
export class SplicedObject implements CachedObject {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  readonly json: Buffer;
  readonly itemStart: number;
  readonly #digitsStart: number;
  readonly #fieldsOf: FieldsOf | undefined;
  #index: ObjectIndex | undefined;
  #encodings: Map<string, Buffer> | undefined;

  constructor(key: string, revision: number, context: ReadContext, parts: SplicedParts) {
    this.key = key;
    this.namespace = context.namespace;
    this.name = context.name;
    this.revision = revision;
    this.json = parts.json;
    this.itemStart = parts.itemStart;
    this.#digitsStart = parts.digitsStart;
    this.#fieldsOf = context.fieldsOf;
  }

  get encodings(): Map<string, Buffer> {
    this.#encodings ??= new Map();
    return this.#encodings;
  }

  index(): ObjectIndex {
    this.#index ??= this.#buildIndex();
    return this.#index;
  }

  decode(): JsonObject {
    try {
      const { value } = decodeJson(this.json, { duplicates: false });
      if (isJsonObject(value)) return value;
    } catch (cause) {
      throw this.#corrupt(cause);
    }
    throw this.#corrupt(undefined);
  }

  /** The same state under the revision of a later event, as a DELETED event shows it. */
  withRevision(revision: number): SplicedObject {
    const digitsEnd = this.#digitsStart + String(this.revision).length;
    const context = { namespace: this.namespace, name: this.name, fieldsOf: this.#fieldsOf };
    return new SplicedObject(this.key, revision, context, {
      json: splice(this.json, this.#digitsStart, digitsEnd, String(revision)),
      itemStart: this.itemStart,
      digitsStart: this.#digitsStart,
    });
  }

  /** What cannot be decoded is selected by its key alone: one broken object must not break the lists of the others. */
  #buildIndex(): ObjectIndex {
    const fields = new Map([
      ['metadata.name', this.name],
      ['metadata.namespace', this.namespace],
    ]);
    const labels = new Map<string, string>();
    const object = this.#tryDecode();
    if (!object) return { labels, fields };
    for (const [path, value] of Object.entries(this.#fieldsOf?.(object) ?? {})) fields.set(path, value);
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
