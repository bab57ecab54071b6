import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import type {
  ListPage,
  ObjectStore,
  SwapOptions,
  WatchBatch,
  WatchOptions,
} from '../../../src/storage/port/object-store.ts';
import { StorageError } from '../../../src/storage/port/storage-error.ts';

/** A write that any store can repeat. */
export type Write = (store: ObjectStore) => Promise<unknown>;

/**
 * A store that is replaced by a copy of an earlier state of itself, with the same history ID, as an etcd that is restored from a copy
 * of its files. Its session changes as that of a client whose connections are opened again.
 */
export class RestorableStore implements ObjectStore {
  inner: ObjectStore = new MemoryStore();
  /** While true nothing can be reached. */
  down = false;
  /** While true streams that are open stay so and say nothing more, whatever happens to the store. */
  streamsHang = false;
  /** True for a store that does not say in which session a list was read. */
  listsAnonymously = false;
  /** While true no stream can be opened. */
  streamsRefused = false;
  readonly #writes: Write[] = [];
  #session = 1;
  #streams = new AbortController();

  /** Makes a write that the next copies have. */
  async write(write: Write): Promise<void> {
    this.#writes.push(write);
    await write(this.inner);
  }

  /** Replaces the store by one with the first `kept` writes, and others after them. */
  async restore(kept: number, writes: readonly Write[]): Promise<void> {
    const copy = new MemoryStore();
    for (const write of [...this.#writes.slice(0, kept), ...writes]) await write(copy);
    this.inner = copy;
    this.reconnect();
  }

  /** Opens other connections. */
  reconnect(): void {
    this.#session++;
    if (!this.streamsHang) this.cut();
  }

  /** Ends the streams. */
  cut(): void {
    this.#streams.abort();
    this.#streams = new AbortController();
  }

  get: ObjectStore['get'] = async (...args) => ({ ...(await this.#up().get(...args)), session: this.#id });
  create: ObjectStore['create'] = async (...args) => this.#up().create(...args);
  update: ObjectStore['update'] = async (key, value, revision, options) => {
    this.#checkSession(options);
    return this.#up().update(key, value, revision, options);
  };
  delete: ObjectStore['delete'] = async (key, revision, options) => {
    this.#checkSession(options);
    return this.#up().delete(key, revision, options);
  };
  compact: ObjectStore['compact'] = async (...args) => this.#up().compact(...args);

  async *list(...args: Parameters<ObjectStore['list']>): AsyncGenerator<ListPage> {
    const session = this.#id;
    for await (const page of this.#up().list(...args)) yield this.listsAnonymously ? page : { ...page, session };
  }

  async status() {
    const { revision } = await this.#up().status();
    return { revision, historyId: 'one', session: this.#id, version: '' };
  }

  async *watch(prefix: string, { signal, afterRevision }: WatchOptions): AsyncGenerator<WatchBatch> {
    const ended = this.#streams.signal;
    const both = signal ? AbortSignal.any([signal, ended]) : ended;
    const { inner } = this;
    this.#up();
    if (this.streamsRefused) throw new StorageError('Unavailable', 'the stream was refused');
    for await (const batch of inner.watch(prefix, { afterRevision, signal: both })) yield batch;
    if (!signal?.aborted) throw new StorageError('Unavailable', 'the stream was cut');
  }

  async close(): Promise<void> {
    await this.inner.close();
  }

  get #id(): string {
    return `session ${this.#session}`;
  }

  #checkSession({ session = this.#id }: SwapOptions = {}): void {
    if (session !== this.#id) throw new StorageError('SessionEnded', 'the connection was renewed');
  }

  #up(): ObjectStore {
    if (this.down) throw new StorageError('Unavailable', 'the store is down');
    return this.inner;
  }
}
