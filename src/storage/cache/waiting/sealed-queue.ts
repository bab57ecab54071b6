import { backOffMs, pause, storeBackOff } from '../../../async/timers.ts';
import { revisionOf, type StoreEvent } from '../../port/object-store.ts';
import { isSealed, openedEvent, tryToOpen } from '../../port/sealed-events.ts';
import { type StorageLog, StorageError } from '../../port/storage-error.ts';
import { type Patience, RevisionWaiters } from './revision-waiters.ts';

interface SealedQueueOptions {
  /** Applies an event; called in order. */
  readonly apply: (event: StoreEvent) => void;
  /**
   * Called when the queue exceeds a limit, or an event could not be applied. The waiting events are
   * dropped, and the state that was built from the queue is invalid.
   */
  readonly onOverflow: (cause: StorageError) => void;
  /** The queues of all resources with waiting events, which share a limit. */
  readonly waiting: Set<SealedQueue>;
  /** The prefix of the resource, for the log. */
  readonly prefix: string;
  readonly log: StorageLog;
}

/** The limits of waiting events: a plugin may be down for minutes while a controller writes. */
const most = Object.freeze({ events: 10_000, bytes: 16 << 20, bytesOfAll: 64 << 20 });
/** How many events are decrypted in parallel. Each may be a call of a version 1 plugin. */
const openedAtOnce = 10;

/**
 * The queue of a resource's events between the reflector and its cache. An encrypted event waits
 * for its key, and later events of the same resource wait for it; other resources are not affected.
 * Without encrypted values events pass synchronously.
 */
export class SealedQueue {
  readonly #options: SealedQueueOptions;
  readonly #waiters = new RevisionWaiters();
  #stop = new AbortController();
  #events: StoreEvent[] = [];
  #bytes = 0;
  #isFailing = false;

  constructor(options: SealedQueueOptions) {
    this.#options = options;
  }

  /** The size of the waiting events in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The revision up to which all received events were applied. */
  get revision(): number {
    // Cheap, because each read of the cache calls it.
    const first = this.#events[0];
    return first ? revisionOf(first) - 1 : Number.POSITIVE_INFINITY;
  }

  /** Receives the next event. */
  take(event: StoreEvent): void {
    if (this.#events.length > 0) this.#add(event);
    else if (isSealed(event)) this.#open(event);
    else this.#options.apply(event);
  }

  /**
   * Resolves to true when all events up to `revision` are applied, to false on timeout. Throws
   * Cancelled when the signal aborts.
   */
  async reaches(revision: number, patience: Patience, signal?: AbortSignal): Promise<boolean> {
    if (this.revision >= revision) return true;
    if (patience.untilBroken && this.#isFailing) return false;
    return await this.#waiters.wait(revision, patience, signal);
  }

  /** Drops the waiting events. */
  clear(): void {
    this.#options.waiting.delete(this);
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#events = [];
    this.#bytes = 0;
    this.#isFailing = false;
    this.#waiters.reached(this.revision);
  }

  #open(event: StoreEvent): void {
    const opened = tryToOpen(event);
    if (opened && !(opened instanceof Promise)) {
      this.#options.apply(opened);
      return;
    }
    // The event may be dropped at once, and then nobody handles the error.
    opened?.catch(() => undefined);
    this.#add(event);
    const { prefix } = this.#options;
    this.#run(this.#stop.signal, opened).catch((error: unknown) =>
      this.#giveUp(`a change under ${prefix} cannot be applied: ${error instanceof Error ? error.message : ''}`),
    );
  }

  #add(event: StoreEvent): void {
    const { waiting } = this.#options;
    this.#events.push(event);
    this.#bytes += bytesOf(event);
    waiting.add(this);
    if (this.#events.length > most.events || this.#bytes > most.bytes) this.#overflow();
    const queues = [...waiting];
    if (queues.reduce((sum, { bytes }) => sum + bytes, 0) <= most.bytesOfAll) return;
    queues.reduce((one, other) => (other.bytes > one.bytes ? other : one)).#overflow();
  }

  #overflow(): void {
    this.#giveUp(`too many changes under ${this.#options.prefix} wait for a key that decrypts them`);
  }

  #giveUp(reason: string): void {
    this.clear();
    this.#options.onOverflow(new StorageError('Compacted', reason));
  }

  /**
   * Applies events until none is left. `first` is the first event, whose decryption has started.
   */
  async #run(signal: AbortSignal, first: Promise<StoreEvent> | undefined): Promise<void> {
    let head = first;
    for (let failures = 0; this.#events.length > 0 && !signal.aborted; ) {
      const some = this.#events.slice(0, openedAtOnce);
      const opening = some.map((event, index) => (index === 0 && head ? head : openLater(event)));
      head = undefined;
      const results = await Promise.allSettled(opening);
      if (signal.aborted) return;
      const failed = this.#apply(results);
      failures = failed === undefined ? 0 : failures + 1;
      if (failed === undefined) continue;
      this.#failed(failed);
      await pause(backOffMs(failures, storeBackOff), signal).catch(() => undefined);
    }
  }

  /** Applies events up to the first that could not be decrypted. Returns its error. */
  #apply(results: readonly PromiseSettledResult<StoreEvent>[]): unknown {
    for (const result of results) {
      if (result.status === 'rejected') return result.reason ?? 'no reason';
      const [event] = this.#events.splice(0, 1);
      if (event) this.#bytes -= bytesOf(event);
      if (this.#events.length === 0) this.#options.waiting.delete(this);
      this.#options.apply(result.value);
      this.#waiters.reached(this.revision);
    }
    this.#isFailing = false;
    return undefined;
  }

  #failed(error: unknown): void {
    this.#waiters.broken();
    if (this.#isFailing) return;
    this.#isFailing = true;
    const { log, prefix } = this.#options;
    log('changes of a resource wait for a key that decrypts them; those of others do not', { prefix, error });
  }
}

async function openLater(event: StoreEvent): Promise<StoreEvent> {
  return await openedEvent(event);
}

function bytesOf(event: StoreEvent): number {
  return event.type === 'put' ? event.current.value.length : event.key.length;
}
