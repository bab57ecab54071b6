import type { EventLogLimits } from './event-log.ts';

/** Timeouts and limits of the watch cache. */
export interface CacheSettings {
  /** Limits of the history of each resource in memory; older history is read from the store. */
  readonly history: EventLogLimits;
  /** Limit of the history of all resources together, in bytes; enforced each second. */
  readonly historyBytes: number;
  /** How long a read waits for the cache to reach the revision that it needs. */
  readonly freshnessTimeoutMs: number;
  /**
   * How long a get of the newest state waits for that before it reads the store, which is cheap for
   * one key.
   */
  readonly objectPatienceMs: number;
  /**
   * How long the watch on the store may be silent while a read waits, before a write under the
   * prefix makes the store send an event.
   */
  readonly silenceMs: number;
  /** How long the watch may then stay silent before it is considered dead and opened again. */
  readonly showTimeoutMs: number;
  /**
   * How long a watch that starts with the newest state waits for it; less if the watch's own
   * timeout ends earlier.
   */
  readonly watchStartTimeoutMs: number;
  /** Limit of the events that are queued for one watch, in bytes. */
  readonly watchBudgetBytes: number;
  readonly bookmarkIntervalMs: number;
  /** How long the watch on the store may be broken before the cache reports that it is stale. */
  readonly staleAfterMs: number;
  /** The resolution of bookmark timers. */
  readonly timerStepMs: number;
  /** Mean time between two comparisons of the filled caches with the store; 0 disables them. */
  readonly checkIntervalMs: number;
}

/**
 * The history and the freshness timeout are the API's (spec 8). The byte limits keep the history of
 * a busy resource and the queue of a stuck reader to a few megabytes. Both may be that small
 * because the store has the history too.
 */
export const defaultCacheSettings: CacheSettings = Object.freeze({
  history: Object.freeze({ historyMs: 300_000, bytes: 32 << 20, events: 100_000 }),
  historyBytes: 64 << 20,
  freshnessTimeoutMs: 3_000,
  // An event normally arrives within two milliseconds. A longer wait means load, or that no event
  // will come.
  objectPatienceMs: 25,
  // The interval at which kube-apiserver requests progress from etcd.
  silenceMs: 100,
  showTimeoutMs: 1_000,
  // A watch cannot fall back to a read of the store, and clients wait for at least a minute.
  watchStartTimeoutMs: 30_000,
  watchBudgetBytes: 8 << 20,
  bookmarkIntervalMs: 60_000,
  // Longer than a leader election of etcd.
  staleAfterMs: 3_000,
  timerStepMs: 1_000,
  checkIntervalMs: 300_000,
});
