import { type StorageLog, StorageError, type StorageErrorCode } from '../port/storage-error.ts';
import { nextTurn } from '../../async/yield-if-long.ts';
import { backOffMs, pause, storeBackOff } from '../../async/timers.ts';
import { linkSignals } from '../../async/abort-signals.ts';
import { cancelled } from '../port/abortable.ts';
import { type ObjectStore, type StoreEvent, type WatchBatch, revisionOf } from '../port/object-store.ts';
import { HistoryWitness, type HistoryCheck } from './history-witness.ts';
import { type Patience, RevisionWaiters } from './waiting/revision-waiters.ts';

interface StoreFeedOptions {
  readonly store: ObjectStore;
  /** The prefix of all keys. */
  readonly prefix: string;
  /** Receives the events of whole revisions, in order. */
  readonly onEvents: (events: readonly StoreEvent[]) => void;
  /** Called when history is lost: all state built from earlier events is invalid. */
  readonly onReset: (cause: StorageError) => void;
  /**
   * Called when the store was found to have the history up to `revision`, in another session than
   * the one before: state that was read beyond that revision in earlier sessions may never have
   * existed, and is invalid.
   */
  readonly onRenewal: (revision: number) => void;
  /**
   * Writes a key under the prefix after the call; returns a revision that the stream must then
   * reach.
   */
  readonly writeProgress: () => Promise<number>;
  /** How long the stream may be silent while a caller waits, before the progress write. */
  readonly silenceMs: number;
  /** How long the stream may stay silent after the progress write, before it is considered dead. */
  readonly showTimeoutMs: number;
  readonly log: StorageLog;
}

/**
 * Errors after which the stream cannot be resumed: history is gone, or the store was replaced or
 * restored.
 */
const lostHistory: ReadonlySet<StorageErrorCode> = new Set(['Compacted', 'FutureRevision', 'Corrupt']);

/**
 * The one watch over the whole prefix (docs/architecture.md, invariant 2). `revision`, the last one
 * delivered, determines how fresh the caches are. Writes by others under other prefixes of the same
 * store do not appear on the stream. If a caller waits for a revision that the store has, and the
 * stream is silent, a write under the prefix makes the stream advance; a stream that does not is
 * dead. Only this class reconnects: a broken stream is resumed after the last revision, once it has
 * shown the last events again (`HistoryWitness`). If that history is gone, or the store was
 * replaced or restored, the reflector resets and starts again at the newest revision.
 * docs/consistency.md says why that is enough.
 */
export class Reflector {
  readonly #options: StoreFeedOptions;
  readonly #stop = new AbortController();
  readonly #waiters = new RevisionWaiters();
  /** Callers that wait until a stream has been checked. */
  readonly #checks = new RevisionWaiters();
  readonly #witness = new HistoryWitness();
  #revision = 0;
  #generation = 0;
  #droppedEvents = 0;
  #brokenSince: number | undefined;
  /** True if the present outage has been logged. */
  #reported = false;
  /** True if the present stream has delivered a batch. */
  #sound = false;
  /** ID of the history that `#revision` belongs to. */
  #historyId = '';
  /** The store's session when the present stream was opened, once the stream has been checked. */
  #session: string | undefined;
  /** True if a write that renews the witness is under way. */
  #renewing = false;
  #running: Promise<void> | undefined;
  /** Revision of the last batch with events; 0 before the first. */
  #shown = 0;
  #silence: NodeJS.Timeout | undefined;
  /** Ends the present stream without ending the reflector. */
  #stream = new AbortController();

  constructor(options: StoreFeedOptions) {
    this.#options = options;
  }

  /** Everything up to here has been delivered. 0 before the first stream, and after a reset. */
  get revision(): number {
    return this.#revision;
  }

  /** Incremented by each reset. */
  get generation(): number {
    return this.#generation;
  }

  /** Events that a faulty store delivered twice; they were dropped. */
  get droppedEvents(): number {
    return this.#droppedEvents;
  }

  /** When the last working stream broke (`performance.now()`); undefined while one works. */
  get brokenSince(): number | undefined {
    return this.#brokenSince;
  }

  /**
   * The session of the store in which its history is known to match the delivered events; undefined
   * if the store has none.
   */
  get session(): string | undefined {
    return this.#session;
  }

  /** Opens the stream unless it is open. */
  start(): void {
    if (this.#running) return;
    this.#brokenSince = performance.now();
    this.#running = this.#run();
  }

  /**
   * Resolves to true when the reflector reaches `revision`, to false on timeout. Throws Cancelled
   * when the signal aborts.
   */
  async reaches(revision: number, patience: Patience, signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) throw cancelled();
    if (this.#revision > 0 && this.#revision >= revision) return true;
    if (patience.untilBroken && this.#brokenSince !== undefined) return false;
    const reached = this.#waiters.wait(revision, patience, signal);
    this.#listen();
    return reached;
  }

  /**
   * Resolves to true when a stream has been opened and checked, to false on timeout. Throws
   * Cancelled when the signal aborts.
   */
  async becomesSound(patience: Patience, signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) throw cancelled();
    return this.#brokenSince === undefined || this.#checks.wait(0, patience, signal);
  }

  /**
   * The store's newest revision, by a linearizable read. Infinity if the store may have been
   * replaced since the stream was checked: nothing that was delivered is known to be fresh, and the
   * stream is opened and checked again. A store behind the delivered revision has lost writes, so
   * the reflector resets. A second read must confirm it, because an etcd member that was stopped
   * for a while may return one stale revision.
   */
  async latestRevision(): Promise<number> {
    const { store } = this.#options;
    const known = this.#revision;
    const generation = this.#generation;
    const { revision, session } = await store.status();
    if (!this.vouchesFor(session)) return Infinity;
    if (revision >= known) return revision;
    const { revision: again, session: sessionAgain } = await store.status();
    if (again < known && generation === this.#generation) {
      this.#reset(wentBack(known, again));
      this.#stream.abort();
    }
    return this.vouchesFor(sessionAgain) ? again : Infinity;
  }

  /**
   * True if a response of the store belongs to the history of the delivered events. Otherwise the
   * present stream is ended, because a stream that was opened later must be checked.
   */
  vouchesFor(session: string | undefined): boolean {
    if (session === this.#session) return true;
    if (this.#brokenSince === undefined) this.#stream.abort();
    this.#markBroken();
    return false;
  }

  /** Makes every watch over the prefix show that it has reached a revision that the store has. */
  showUpTo(revision: number): void {
    if (this.#shown >= revision) return;
    this.#options.writeProgress().catch((error: unknown) => this.#progressFailed(error));
  }

  /** Ends the stream. Waiters resolve to false. */
  async close(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#silence);
    this.#stream.abort();
    this.#waiters.close();
    this.#checks.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    for (let attempt = 0; !signal.aborted; attempt++) {
      this.#sound = false;
      try {
        await this.#follow();
      } catch (error) {
        if (!signal.aborted) this.#broken(error);
      }
      this.#markBroken();
      if (this.#sound) attempt = 0;
      await pause(backOffMs(attempt, storeBackOff), signal);
    }
  }

  /** Follows one stream from the last revision until it breaks. */
  async #follow(): Promise<void> {
    const { store, prefix } = this.#options;
    this.#stream = new AbortController();
    const { signal, release } = linkSignals(this.#stop.signal, this.#stream.signal);
    try {
      const { revision, historyId, session } = await store.status({ signal });
      if (this.#revision > 0 && revision < this.#revision) this.#reset(wentBack(this.#revision, revision));
      if (this.#revision === 0) this.#begin(revision, historyId, session);
      const known = this.#revision;
      const check = this.#witness.check(known);
      const from = { afterRevision: check?.afterRevision ?? known, historyId: this.#historyId };
      let checked = false;
      for await (const batch of store.watch(prefix, { ...from, previous: false, sealed: true, signal })) {
        if (signal.aborted) return;
        checked ||= check ? this.#passes(check, batch, known) : await this.#isSameSession(signal);
        if (!checked) continue;
        this.#renew(session);
        this.#markSound();
        this.#deliver(batch, known);
      }
    } finally {
      release();
    }
  }

  #renew(session: string | undefined): void {
    if (session === this.#session) return;
    this.#session = session;
    this.#options.onRenewal(this.#revision);
  }

  #begin(revision: number, historyId: string, session: string | undefined): void {
    this.#historyId = historyId;
    this.#session = session;
    this.#advance(revision);
  }

  /**
   * True if the store was reached over the same connections before and after the stream was opened:
   * then all of them lead to the same store. Throws Corrupt otherwise. For a stream before the
   * first unique event, which nothing else can tell from another one.
   */
  async #isSameSession(signal: AbortSignal): Promise<boolean> {
    if (this.#session === undefined) return true;
    const { session } = await this.#options.store.status({ signal });
    if (session === this.#session) return true;
    throw another('the connection was renewed before any event could identify it');
  }

  /**
   * Compares a batch with the known events. True once all have been shown, and no others up to the
   * `known` revision. Throws Corrupt if the store has another history.
   */
  #passes(check: HistoryCheck, batch: WatchBatch, known: number): boolean {
    const wasComplete = check.complete;
    const isSame = check.matches(batch.events) && (check.complete || batch.revision < known);
    if (!isSame) throw another(`the events up to revision ${known} are not those that were seen`);
    if (!check.complete) return false;
    if (check.endsWithEvent || batch.revision >= known) return true;
    // The known revision comes from a write under another prefix: only a later event shows that the
    // store has no other events before it.
    if (!wasComplete) this.#options.writeProgress().catch((error: unknown) => this.#unproven(error));
    return false;
  }

  /** Gives up the history, because it cannot be compared while the store takes no writes. */
  #unproven(error: unknown): void {
    if (this.#stop.signal.aborted) return;
    this.#reset(historyGone(another(error instanceof Error ? error.message : String(error))));
    this.#stream.abort();
  }

  #markSound(): void {
    this.#sound = true;
    this.#checks.reached(0);
    if (this.#brokenSince === undefined) return;
    if (this.#reported) {
      const brokenMs = Math.round(performance.now() - this.#brokenSince);
      this.#options.log('the watch on the store was resumed', { revision: this.#revision, brokenMs });
    }
    this.#brokenSince = undefined;
    this.#reported = false;
  }

  #markBroken(): void {
    this.#brokenSince ??= performance.now();
    this.#waiters.broken();
  }

  /** Events up to `replayed` were shown for the check; others that are not new are dropped. */
  #deliver(batch: WatchBatch, replayed: number): void {
    const fresh = batch.events.filter((event) => revisionOf(event) > this.#revision);
    const known = batch.events.filter((event) => revisionOf(event) <= this.#revision);
    this.#droppedEvents += known.filter((event) => revisionOf(event) > replayed).length;
    this.#shown = fresh.length > 0 ? batch.revision : this.#shown;
    this.#witness.add(fresh);
    this.#options.onEvents(fresh);
    this.#advance(Math.max(this.#revision, batch.revision));
    if (this.#witness.isLong) this.#renewWitness();
  }

  /** Writes a unique event. On failure the next event tries again. */
  #renewWitness(): void {
    if (this.#renewing) return;
    this.#renewing = true;
    this.#options
      .writeProgress()
      .catch((error: unknown) => this.#progressFailed(error))
      .finally(() => {
        this.#renewing = false;
      });
  }

  #advance(revision: number): void {
    this.#revision = revision;
    this.#waiters.reached(revision);
  }

  #listen(): void {
    if (this.#silence || this.#stop.signal.aborted) return;
    const before = this.#revision;
    this.#silence = setTimeout(() => {
      this.#breakSilence(before)
        .catch((error: unknown) => this.#progressFailed(error))
        .finally(() => {
          this.#silence = undefined;
          if (this.#waiters.size > 0) this.#listen();
        });
    }, this.#options.silenceMs);
  }

  /**
   * Writes under the prefix if a caller waits for a revision that the store has and the stream was
   * silent.
   */
  async #breakSilence(before: number): Promise<void> {
    // The timer may be due because the loop was busy; events that have arrived are read first.
    await nextTurn();
    const sinceMs = performance.now() - this.#options.silenceMs / 2;
    const waiting = this.#waiters.revisionsSince(sinceMs);
    if (waiting.length === 0 || this.#revision !== before || this.#brokenSince !== undefined) return;
    const stream = this.#stream;
    const reached = await this.latestRevision();
    if (stream.signal.aborted) return;
    const inSilence = waiting.some((revision) => revision > this.#revision && revision <= reached);
    if (!inSilence) return;
    const written = await this.#options.writeProgress();
    const shown = await this.reaches(written, { timeoutMs: this.#options.showTimeoutMs, untilBroken: true });
    // A slow stream has advanced meanwhile. A silent one is dead, even if its connection is open.
    if (shown || this.#revision !== before || stream !== this.#stream) return;
    this.#report(new StorageError('Unavailable', `the watch did not report revision ${written} in time`));
    this.#markBroken();
    stream.abort();
  }

  /** Errors of the store are ignored: waiters time out, and the stream reports its own error. */
  #progressFailed(error: unknown): void {
    if (!(error instanceof StorageError))
      this.#options.log('the progress key could not be written to the store', { error });
  }

  #broken(error: unknown): void {
    if (error instanceof StorageError && lostHistory.has(error.code)) this.#reset(historyGone(error));
    else this.#report(error);
  }

  /** Logs an outage once. */
  #report(error: unknown): void {
    if (this.#reported) return;
    this.#reported = true;
    this.#options.log('the watch on the store failed; the server tries to resume it', {
      error,
      revision: this.#revision,
    });
  }

  #reset(cause: StorageError): void {
    this.#options.log(
      "the history of the store was lost; clients' watches end with 410 and the watch cache is reloaded",
      {
        error: cause,
        revision: this.#revision,
      },
    );
    this.#generation++;
    this.#revision = 0;
    this.#shown = 0;
    this.#session = undefined;
    this.#witness.clear();
    this.#markBroken();
    this.#options.onReset(cause);
  }
}

/** Converts an error that ends the history to Compacted, as watches expect it. */
function historyGone(error: StorageError): StorageError {
  if (error.code === 'Compacted') return error;
  const details = error.revision === undefined ? {} : { revision: error.revision };
  return new StorageError('Compacted', error.message, { ...details, cause: error });
}

function another(how: string): StorageError {
  return new StorageError('Corrupt', `the store was restored or replaced, or may have been: ${how}`);
}

function wentBack(known: number, revision: number): StorageError {
  return new StorageError(
    'Compacted',
    `the revision of the store went back from ${known} to ${revision}: the store was restored or replaced`,
    {
      revision,
    },
  );
}
