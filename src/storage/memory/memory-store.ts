import { randomUUID } from 'node:crypto';
import { checkCharacters, checkKey, checkRevision, checkSignal, checkTtl } from '../port/check-arguments.ts';
import { anotherHistory, compacted, futureRevision, storeClosed } from '../port/check-arguments.ts';
import { Expiry, type ExpiringKey } from '../port/expiry.ts';
import { MemoryHistory } from './memory-history.ts';
import type { CallOptions, GetResult, ListOptions, ListPage, ObjectStore, StoredValue } from '../port/object-store.ts';
import type {
  StoreEvent,
  StoreStatus,
  SwapResult,
  WatchBatch,
  WatchOptions,
  WriteCallOptions,
} from '../port/object-store.ts';
import { StorageError } from '../port/storage-error.ts';

/** Keys per page, as for etcd: few pages, each of at most a few megabytes. */
const pageSize = 500;
/** The default request limit of etcd. */
const valueLimitBytes = 1.5 * 1024 * 1024;
/** Changes per batch of a watch, so that a long replay does not block the event loop. */
const watchBatchSize = 1000;

/**
 * A store in the memory of this process, with etcd's revisions, history and compaction; for tests
 * and embedding. Values are neither persisted nor copied: nobody may change their bytes.
 */
export class MemoryStore implements ObjectStore {
  readonly #history = new MemoryHistory();
  readonly #historyId = randomUUID();
  readonly #expiry = new Expiry((keys) => this.#removeExpired(keys));
  #closed = false;
  /**
   * Called once, at the next write, compaction or close. Watchers have no queues: each reads the
   * history from its own revision on.
   */
  #waiting: (() => void)[] = [];

  async get(key: string, options: { revision?: number; signal?: AbortSignal } = {}): Promise<GetResult> {
    this.#check(options.signal);
    checkKey(key);
    const at = this.#readable(options.revision);
    return { current: this.#history.getAt(key, at), revision: this.#history.revision };
  }

  async create(key: string, value: Uint8Array, options: WriteCallOptions = {}): Promise<{ readonly revision: number }> {
    this.#check(options.signal);
    checkKey(key);
    checkTtl(options.ttlSeconds);
    if (this.#history.get(key)) throw new StorageError('AlreadyExists', `key ${key} already exists`, { key });
    const revision = this.#put(key, value, options);
    this.#wake();
    return { revision };
  }

  async update(
    key: string,
    value: Uint8Array,
    expectedRevision: number,
    options: WriteCallOptions = {},
  ): Promise<SwapResult> {
    checkTtl(options.ttlSeconds);
    return this.#swap(key, expectedRevision, options, () => this.#put(key, value, options));
  }

  async delete(key: string, expectedRevision: number, options: CallOptions = {}): Promise<SwapResult> {
    return this.#swap(key, expectedRevision, options, () => this.#history.delete(key));
  }

  async *list(prefix: string, options: ListOptions = {}): AsyncGenerator<ListPage, void, undefined> {
    this.#check(options.signal);
    const { startKey = prefix, limit = 0 } = options;
    checkCharacters('prefix', prefix);
    checkCharacters('startKey', startKey);
    checkRevision('limit', limit, 0);
    const revision = this.#readable(options.revision);
    const { count, values } = this.#history.range(prefix, startKey, revision);
    const wanted = limit > 0 ? Math.min(limit, count) : count;
    let listed = 0;
    let page: StoredValue[] = [];
    for (const value of values()) {
      if (listed === wanted) break;
      page.push(value);
      listed++;
      if (page.length < pageSize || listed === wanted) continue;
      yield { revision, values: page, remaining: count - listed };
      page = [];
      this.#check(options.signal);
    }
    yield { revision, values: page, remaining: count - listed };
  }

  async *watch(prefix: string, options: WatchOptions): AsyncGenerator<WatchBatch, void, undefined> {
    const { signal, afterRevision, historyId = this.#historyId } = options;
    checkCharacters('prefix', prefix);
    checkRevision('afterRevision', afterRevision, 1);
    if (historyId !== this.#historyId) throw anotherHistory(this.#history.revision);
    if (afterRevision > this.#history.revision) throw futureRevision(afterRevision, this.#history.revision);
    let seen = afterRevision;
    if (signal?.aborted) return;
    this.#checkWatch(seen);
    yield { revision: seen, events: [] };
    for (;;) {
      if (signal?.aborted) return;
      this.#checkWatch(seen);
      if (seen === this.#history.revision) {
        await this.#nextChange(signal);
        continue;
      }
      const changes = this.#history.changes(seen, watchBatchSize);
      seen += changes.length;
      const events = changes.filter((event) => keyOf(event).startsWith(prefix));
      if (events.length > 0) yield { revision: seen, events };
    }
  }

  async compact(revision: number, options: CallOptions = {}): Promise<void> {
    this.#check(options.signal);
    checkRevision('revision', revision, 1);
    if (revision > this.#history.revision) throw futureRevision(revision, this.#history.revision);
    if (revision <= this.#history.oldest) return;
    this.#history.compact(revision);
    this.#wake();
  }

  async status(options: CallOptions = {}): Promise<StoreStatus> {
    this.#check(options.signal);
    return { revision: this.#history.revision, historyId: this.#historyId, version: '' };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#expiry.close();
    this.#wake();
  }

  #check(signal: AbortSignal | undefined): void {
    checkSignal(signal);
    if (this.#closed) throw storeClosed();
  }

  #checkWatch(seen: number): void {
    if (this.#closed) throw storeClosed();
    if (seen < this.#history.oldest) throw compacted(seen, this.#history.oldest);
  }

  /** The revision to read at; throws unless the history has it. */
  #readable(wanted: number | undefined): number {
    const newest = this.#history.revision;
    if (wanted === undefined) return newest;
    checkRevision('revision', wanted, 1);
    if (wanted > newest) throw futureRevision(wanted, newest);
    if (wanted < this.#history.oldest) throw compacted(wanted, this.#history.oldest);
    return wanted;
  }

  #put(key: string, value: Uint8Array, { ttlSeconds }: WriteCallOptions): number {
    if (value.length > valueLimitBytes) {
      throw new StorageError('TooLarge', `the value of ${value.length} bytes is larger than etcd accepts`, { key });
    }
    const revision = this.#history.put(key, value);
    if (ttlSeconds !== undefined) this.#expiry.add({ key, revision }, ttlSeconds);
    return revision;
  }

  /**
   * Removes expired keys. A key that was written again has another revision, and its own TTL or
   * none.
   */
  #removeExpired(keys: readonly ExpiringKey[]): void {
    for (const { key, revision } of keys) {
      if (this.#history.get(key)?.revision === revision) this.#history.delete(key);
    }
    this.#wake();
  }

  #swap(key: string, expectedRevision: number, options: CallOptions, write: () => number): SwapResult {
    this.#check(options.signal);
    checkKey(key);
    checkRevision('expectedRevision', expectedRevision, 1);
    const current = this.#history.get(key);
    if (current?.revision !== expectedRevision) return { swapped: false, current, revision: this.#history.revision };
    const revision = write();
    this.#wake();
    return { swapped: true, revision };
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }

  /** Resolves at the next write, compaction or close, or when the signal aborts. */
  #nextChange(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const resume = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting = this.#waiting.filter((waiter) => waiter !== resume);
        resolve();
      };
      this.#waiting.push(resume);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}

function keyOf(event: StoreEvent): string {
  return event.type === 'put' ? event.current.key : event.key;
}
