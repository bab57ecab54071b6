import { EtcdError, type EtcdErrorCode } from '../../etcd/etcd-error.ts';
import { connectEtcd, type EtcdClient, type EtcdMember, type EtcdOptions } from '../../etcd/etcd-client.ts';
import type { EtcdSwap } from '../../etcd/etcd-client.ts';
import { checkCharacters, checkKey, checkRevision, checkSignal, checkTtl } from '../port/check-arguments.ts';
import type { CallOptions, DeleteCallOptions, GetResult, ListOptions, ListPage } from '../port/object-store.ts';
import type { ObjectStore, SwapOptions, SwapResult } from '../port/object-store.ts';
import type {
  StatusOptions,
  StoredValue,
  StoreStatus,
  WatchBatch,
  WatchOptions,
  WriteCallOptions,
} from '../port/object-store.ts';
import { StorageError, type StorageErrorCode } from '../port/storage-error.ts';

/** The address and credentials of etcd, and its configured limits. */
interface EtcdStoreOptions extends Omit<EtcdOptions, 'probeKey'> {
  /**
   * Prefix of all keys, `/registry`. No other key is read, so the credentials may be restricted to
   * this prefix in etcd.
   */
  readonly prefix?: string;
  /** The value of etcd's `--max-request-bytes`, if it is not the default. */
  readonly maxRequestBytes?: number;
  /** How long etcd's version and size are cached, which appear only in messages and metrics. */
  readonly memberMaxAgeMs?: number;
}

/** Keys per range request: few enough that etcd answers without a delay for other calls. */
const pageSize = 500;
/**
 * Keys of the first page, when the size of the values is unknown: a response is held in memory as a
 * whole.
 */
const firstPageSize = 100;
/** Bytes of values that a further page should have. */
const pageBytes = 8 << 20;
/** The default of etcd's `--max-request-bytes`. */
const defaultMaxRequestBytes = 1.5 * 1024 * 1024;
/** Bytes of a write request besides the value and the key, which it contains three times. */
const requestOverheadBytes = 512;
/** The default of `EtcdStoreOptions.memberMaxAgeMs`. */
const usualMaxAgeMs = 60_000;

/**
 * Opens a store on etcd. Throws InvalidArgument for invalid addresses. An unreachable etcd fails
 * only the first call, because a server may start before its etcd.
 */
export async function openEtcdStore(options: EtcdStoreOptions): Promise<ObjectStore> {
  try {
    const client = await connectEtcd({ ...options, probeKey: `${options.prefix ?? ''}/` });
    return new EtcdStore(client, options);
  } catch (error) {
    throw storageError(error);
  }
}

class EtcdStore implements ObjectStore {
  readonly #client: EtcdClient;
  readonly #maxRequestBytes: number;
  readonly #memberMaxAgeMs: number;
  #member: EtcdMember | undefined;
  #memberReadAt = Number.NEGATIVE_INFINITY;

  constructor(
    client: EtcdClient,
    { maxRequestBytes = defaultMaxRequestBytes, memberMaxAgeMs = usualMaxAgeMs }: EtcdStoreOptions,
  ) {
    this.#client = client;
    this.#maxRequestBytes = maxRequestBytes;
    this.#memberMaxAgeMs = memberMaxAgeMs;
  }

  async get(key: string, options: { revision?: number; signal?: AbortSignal } = {}): Promise<GetResult> {
    checkKey(key);
    if (options.revision !== undefined) checkRevision('revision', options.revision, 1);
    const { session } = this.#client;
    const { values, revision } = await translated(options.signal, () => this.#client.get(key, options));
    return { current: values[0], revision, session };
  }

  async create(key: string, value: Uint8Array, options: WriteCallOptions = {}): Promise<{ readonly revision: number }> {
    this.#checkWrite(key, value);
    checkTtl(options.ttlSeconds);
    const revision = await translated(options.signal, async () => {
      const before = this.#client.clock.newest;
      try {
        return await this.#client.create(key, value, options.ttlSeconds);
      } catch (error) {
        return await this.#createdAfterAll(key, value, before, error);
      }
    });
    if (revision === undefined) throw new StorageError('AlreadyExists', `key ${key} already exists`, { key });
    return { revision };
  }

  async update(
    key: string,
    value: Uint8Array,
    expectedRevision: number,
    options: SwapOptions = {},
  ): Promise<SwapResult> {
    this.#checkWrite(key, value);
    checkTtl(options.ttlSeconds);
    return this.#swap(expectedRevision, options, () => this.#client.update(key, value, expectedRevision, options));
  }

  async delete(key: string, expectedRevision: number, options: DeleteCallOptions = {}): Promise<SwapResult> {
    checkKey(key);
    return this.#swap(expectedRevision, options, () => this.#client.delete(key, expectedRevision, options));
  }

  async *list(prefix: string, options: ListOptions = {}): AsyncGenerator<ListPage, void, undefined> {
    const { signal, limit = 0 } = options;
    checkCharacters('prefix', prefix);
    checkCharacters('startKey', options.startKey ?? '');
    checkRevision('limit', limit, 0);
    if (options.revision !== undefined) checkRevision('revision', options.revision, 1);
    let { startKey, revision } = options;
    let wanted = limit > 0 ? limit : Infinity;
    let { session } = this.#client;
    let begun = false;
    for (let size = firstPageSize; ; ) {
      const query = { startKey, revision, limit: Math.min(size, wanted), signal };
      const page = await translated(signal, () => this.#client.range(prefix, query));
      if (session !== this.#client.session) {
        if (begun) throw renewedDuringList(page.revision);
        // The first page is read again, so that its session is known.
        session = this.#client.session;
        continue;
      }
      begun = true;
      revision ??= page.revision;
      wanted -= page.values.length;
      const remaining = page.count - page.values.length;
      yield { revision, values: page.values, remaining, session };
      const last = page.values.at(-1);
      if (!last || remaining === 0 || wanted === 0) return;
      size = nextPageSize(page.values);
      // The smallest key after the last one.
      startKey = `${last.key}\0`;
    }
  }

  async *watch(prefix: string, options: WatchOptions): AsyncGenerator<WatchBatch, void, undefined> {
    checkCharacters('prefix', prefix);
    checkRevision('afterRevision', options.afterRevision, 1);
    try {
      yield* this.#client.watch(prefix, options);
    } catch (error) {
      throw storageError(error);
    }
  }

  async compact(revision: number, options: CallOptions = {}): Promise<void> {
    checkRevision('revision', revision, 1);
    await translated(options.signal, () => this.#client.compact(revision));
  }

  async status(options: StatusOptions = {}): Promise<StoreStatus> {
    const reading = options.alarms ? this.#presentMember() : this.#currentMember();
    const { clock } = this.#client;
    const { era } = clock;
    const revision = await translated(options.signal, () => this.#client.revision(options.signal));
    // Another call may have detected meanwhile that etcd lost history; the revision could belong to
    // either history.
    if (clock.era !== era) throw new StorageError('Corrupt', 'etcd: history replaced during a read', { revision });
    const { historyId } = clock;
    // Read after the response, so that it is never older than the connection of the response.
    const { session } = this.#client;
    const member = await reading;
    if (!member) return { revision, historyId, session, version: '' };
    const { version, endpoint, databaseBytes: bytes, alarms } = member;
    return { revision, historyId, session, version, database: { endpoint, bytes }, alarms };
  }

  async close(): Promise<void> {
    this.#client.close();
  }

  async #swap(expectedRevision: number, options: CallOptions, swap: () => Promise<EtcdSwap>): Promise<SwapResult> {
    checkRevision('expectedRevision', expectedRevision, 1);
    // Read before the call, so that it has ended if a connection was opened for the call.
    const { session } = this.#client;
    const result = await translated(options.signal, swap);
    return result.swapped ? result : { ...result, session };
  }

  #checkWrite(key: string, value: Uint8Array): void {
    checkKey(key);
    const bytes = value.length + 3 * Buffer.byteLength(key) + requestOverheadBytes;
    if (bytes <= this.#maxRequestBytes) return;
    throw new StorageError('TooLarge', `the value of ${value.length} bytes is larger than etcd accepts`, { key });
  }

  /**
   * Checks if a create whose response was lost took place: the key was created since, and still has
   * exactly this value. Any other result stays unknown, because the request may still be in flight.
   * An update is never resolved like this: two writers may have written the same bytes, and only
   * one of them succeeded.
   */
  async #createdAfterAll(key: string, value: Uint8Array, before: number, error: unknown): Promise<number> {
    if (!(error instanceof EtcdError) || error.code !== 'unknownOutcome') throw error;
    const current = await this.#client.get(key).then(
      ({ values }) => values[0],
      () => undefined,
    );
    const mine = current !== undefined && current.revision === current.createRevision && current.revision > before;
    if (!mine || Buffer.compare(current.value, value) !== 0) throw error;
    return current.revision;
  }

  /** Returns the cached member and refreshes it periodically. Only the first call waits for it. */
  async #currentMember(): Promise<EtcdMember | undefined> {
    const nowMs = performance.now();
    if (nowMs - this.#memberReadAt < this.#memberMaxAgeMs) return this.#member;
    const reading = this.#presentMember();
    if (!this.#member) await reading;
    return this.#member;
  }

  /** Reads the member again; the last one if it cannot be read. */
  async #presentMember(): Promise<EtcdMember | undefined> {
    this.#memberReadAt = performance.now();
    await this.#readMember();
    return this.#member;
  }

  async #readMember(): Promise<void> {
    try {
      this.#member = await this.#client.member();
    } catch {
      // The calling request reports errors of etcd; this is only used in messages and metrics.
    }
  }
}

/**
 * Number of keys with about `pageBytes` of values, if they are as large as the values of the
 * previous page.
 */
function nextPageSize(values: readonly StoredValue[]): number {
  const bytes = values.reduce((sum, { value }) => sum + value.length, 1);
  return Math.max(1, Math.min(pageSize, Math.floor((pageBytes * values.length) / bytes)));
}

/** A restored etcd may have other keys at the revision of the pages before. */
function renewedDuringList(revision: number): StorageError {
  return new StorageError('Unavailable', 'etcd: the connection was renewed between the pages of a list', { revision });
}

const storageCodes: Readonly<Record<EtcdErrorCode, StorageErrorCode>> = {
  compacted: 'Compacted',
  futureRevision: 'FutureRevision',
  unavailable: 'Unavailable',
  unknownOutcome: 'UnknownOutcome',
  sessionEnded: 'SessionEnded',
  unknownLease: 'Unavailable',
  tooLarge: 'TooLarge',
  noSpace: 'NoSpace',
  denied: 'Unavailable',
  invalid: 'InvalidArgument',
  revisionRegressed: 'Corrupt',
};

/**
 * Calls etcd unless the caller has aborted. A write is not cancelled once it is sent, because its
 * outcome matters to other requests.
 */
async function translated<T>(signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> {
  checkSignal(signal);
  try {
    return await call();
  } catch (error) {
    // A read stops waiting when its caller aborts; it then throws the signal's reason.
    if (!(error instanceof EtcdError)) checkSignal(signal);
    throw storageError(error);
  }
}

function storageError(error: unknown): unknown {
  if (!(error instanceof EtcdError)) return error;
  const details = error.revision === undefined ? {} : { revision: error.revision };
  return new StorageError(storageCodes[error.code], error.message, { ...details, cause: error });
}
