import type { EventLogLimits } from './event-log.ts';

/** Times and bounds of the watch cache. */
export interface CacheSettings {
  /** How much history each resource keeps in memory; beyond it, the store's own is read. */
  readonly history: EventLogLimits;
  /** How many bytes of it all resources keep together; looked after every second. */
  readonly historyBytes: number;
  /** How long a read waits for the cache to be as fresh as it must be. */
  readonly freshnessTimeoutMs: number;
  /** How long a read of one object waits for that before the store itself is asked, which costs little. */
  readonly objectPatienceMs: number;
  /** How long the store may say nothing to a read that waits, before something is written to make it speak. */
  readonly silenceMs: number;
  /** How long the stream from the store may then still be silent before it is given up as dead, and opened again. */
  readonly showTimeoutMs: number;
  /** How long a watch that must begin with the newest state waits for it; it ends earlier where its own time is over. */
  readonly watchStartTimeoutMs: number;
  /** Bytes that may wait for one watch. */
  readonly watchBudgetBytes: number;
  readonly bookmarkIntervalMs: number;
  /** How long the stream from the store may be broken before the cache says that it is stale. */
  readonly staleAfterMs: number;
  /** The step of bookmark timers. */
  readonly timerStepMs: number;
  /** Mean time between two comparisons of the filled caches with the store; 0 makes none. */
  readonly checkIntervalMs: number;
}

/**
 * History and wait are the API's (spec 8, reference: promises, P19). The bounds keep a busy resource's history and a stuck
 * reader to a few megabytes; both can do without, because the store has history too.
 */
export const defaultCacheSettings: CacheSettings = Object.freeze({
  history: Object.freeze({ historyMs: 300_000, bytes: 32 << 20, events: 100_000 }),
  historyBytes: 64 << 20,
  freshnessTimeoutMs: 3_000,
  // An event takes a millisecond or two to come; who waits longer waits for others' events under load, or for none at all.
  objectPatienceMs: 25,
  // As often as kube-apiserver asks etcd for progress.
  silenceMs: 100,
  showTimeoutMs: 1_000,
  // A watch has no other way to the newest state, and clients wait for a minute at least.
  watchStartTimeoutMs: 30_000,
  watchBudgetBytes: 8 << 20,
  bookmarkIntervalMs: 60_000,
  // Longer than etcd takes to elect another leader.
  staleAfterMs: 3_000,
  timerStepMs: 1_000,
  checkIntervalMs: 300_000,
});
