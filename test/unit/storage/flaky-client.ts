import type { ListPage, ObjectStore, WatchBatch, WatchOptions } from '../../../src/storage/port/object-store.ts';
import { StorageError } from '../../../src/storage/port/storage-error.ts';

/** A connection, which leads to the store that was there when it was opened, for as long as it lives. */
interface Connection {
  readonly store: ObjectStore;
  readonly session: string;
  readonly ended: AbortController;
}

/**
 * A client of a store that is replaced by others, as an etcd that is restored: calls take one connection, which is opened again when it
 * has ended, each stream its own, and every message its time, so that answers of the store before may arrive after it has gone.
 */
export class FlakyClient implements ObjectStore {
  /** What a connection that is opened now leads to; undefined if nothing is there. */
  target: ObjectStore | undefined;
  /** How long the next message takes, in milliseconds. */
  readonly #delay: () => number;
  readonly #streams = new Set<Connection>();
  #calls: Connection | undefined;
  #opened = 0;
  /** When streams can be opened again. */
  #streamsFrom = 0;

  constructor(target: ObjectStore, delay: () => number) {
    this.target = target;
    this.#delay = delay;
  }

  /** Ends the connection of calls. */
  cutCalls(): void {
    this.#calls?.ended.abort();
    this.#calls = undefined;
  }

  /** Ends all streams, and lets none be opened for a while. */
  cutStreams(forMs = 0): void {
    this.#streamsFrom = performance.now() + forMs;
    for (const { ended } of this.#streams) ended.abort();
    this.#streams.clear();
  }

  get: ObjectStore['get'] = async (...args) => {
    const session = this.#session;
    const result = await this.#read((store) => store.get(...args));
    return { ...result, session };
  };
  create: ObjectStore['create'] = (...args) => this.#call((store) => store.create(...args));
  update: ObjectStore['update'] = (key, value, revision, options) =>
    this.#call((store) => store.update(key, value, revision, options), options?.session);
  delete: ObjectStore['delete'] = (key, revision, options) =>
    this.#call((store) => store.delete(key, revision, options), options?.session);
  compact: ObjectStore['compact'] = (...args) => this.#read((store) => store.compact(...args));

  async *list(...args: Parameters<ObjectStore['list']>): AsyncIterable<ListPage> {
    const pages = await this.#read(async (store, session) => {
      const read: ListPage[] = [];
      for await (const page of store.list(...args)) read.push({ ...page, session });
      return read;
    });
    yield* pages;
  }

  async status() {
    const { revision } = await this.#read((store) => store.status());
    return { revision, historyId: 'one', session: this.#session, version: '' };
  }

  async *watch(prefix: string, { signal, afterRevision }: WatchOptions): AsyncGenerator<WatchBatch> {
    if (performance.now() < this.#streamsFrom) throw unavailable('no stream can be opened');
    const connection = this.#connect();
    const { store, ended } = connection;
    this.#streams.add(connection);
    const both = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
    for await (const batch of store.watch(prefix, { afterRevision, signal: both })) {
      await pause(this.#delay());
      if (both.aborted) break;
      yield batch;
    }
    if (!signal?.aborted) throw unavailable('the stream was cut');
  }

  async close(): Promise<void> {
    this.target = undefined;
    this.cutCalls();
    this.cutStreams();
  }

  get #session(): string {
    return String(this.#opened);
  }

  #connect(): Connection {
    if (!this.target) throw unavailable('nothing is there');
    return { store: this.target, session: this.#session, ended: new AbortController() };
  }

  #connection(): Connection {
    if (this.#calls) return this.#calls;
    if (!this.target) throw unavailable('nothing is there');
    this.#opened++;
    this.#calls = this.#connect();
    return this.#calls;
  }

  /** Sends a call; it fails if its connection ends before its answer has arrived. */
  async #call<T>(call: (store: ObjectStore, session: string) => Promise<T>, session?: string): Promise<T> {
    const connection = this.#connection();
    if (session !== undefined && session !== connection.session) throw new StorageError('SessionEnded', 'another one');
    await pause(this.#delay());
    if (connection.ended.signal.aborted) throw unavailable('the connection was cut');
    const result = await call(connection.store, connection.session);
    await pause(this.#delay());
    if (connection.ended.signal.aborted) throw unavailable('the connection was cut');
    return result;
  }

  /** Reads are tried again. */
  async #read<T>(call: (store: ObjectStore, session: string) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#call(call);
      } catch (error) {
        if (attempt === 3 || !(error instanceof StorageError) || error.code !== 'Unavailable') throw error;
        await pause(1);
      }
    }
  }
}

function unavailable(why: string): StorageError {
  return new StorageError('Unavailable', why);
}

function pause(ms: number): Promise<void> | undefined {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : undefined;
}
