import type { EncodingBudget } from './encoding-budget.ts';
import { splitObjectKey } from '../port/object-key.ts';
import type { StoredValue } from '../port/object-store.ts';
import type { CachedObject } from './cached-object.ts';
import { type Allocate, cachedObject, type ResourceReading } from './resource-reading.ts';
import { StorageError, type StorageLog } from '../port/storage-error.ts';

/** Decodes the stored values of one resource. */
export class ObjectReader {
  readonly #prefix: string;
  readonly #options: ResourceReading;
  readonly #log: StorageLog;
  readonly #encodings: EncodingBudget;
  /** Values are read in key order, so neighbouring objects share one namespace string. */
  #lastNamespace = '';
  #errors = 0;

  /** `prefix` is the key prefix of the resource. */
  constructor(prefix: string, options: ResourceReading, log: StorageLog, encodings: EncodingBudget) {
    this.#prefix = prefix;
    this.#options = options;
    this.#log = log;
    this.#encodings = encodings;
  }

  /** Number of values that could not be decoded. */
  get errors(): number {
    return this.#errors;
  }

  /** Decodes a value of the store to an object, in a buffer of `allocate`. Throws Corrupt. */
  readonly read = (stored: StoredValue, allocate?: Allocate): CachedObject =>
    this.#read(stored, this.#options, allocate);

  /** Decodes a value that this server has just written. */
  readonly readOwn = (stored: StoredValue): CachedObject => this.#read(stored, { ...this.#options, kind: undefined });

  #read(stored: StoredValue, options: ResourceReading, allocate?: Allocate): CachedObject {
    const names = splitObjectKey(this.#prefix, stored.key);
    if (!names) throw new StorageError('Corrupt', `${stored.key} is not the key of an object`, { key: stored.key });
    if (names.namespace !== this.#lastNamespace) this.#lastNamespace = names.namespace;
    const context = {
      namespace: this.#lastNamespace,
      name: names.name,
      ...options,
      encodings: this.#encodings,
    };
    return cachedObject(stored, context, allocate);
  }

  /** Decodes a value to an object; undefined, with a log message, if it is corrupt. */
  readonly tryRead = (stored: StoredValue): CachedObject | undefined => {
    try {
      return this.read(stored);
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'Corrupt') throw error;
      this.onCorrupt(error);
      return undefined;
    }
  };

  /** Counts and logs a value that cannot be decoded. */
  readonly onCorrupt = (error: StorageError): void => {
    this.#errors++;
    this.#log('a stored value cannot be read; lists and watches leave it out', { error, key: error.key });
  };
}
