/** The parts of reads that depend on feature gates and the emulated release. */
export interface ListFeatures {
  /** False if lists are served whole, whatever limit is asked for. */
  readonly chunking: boolean;
  /**
   * The rules of `sendInitialEvents`: without a gate before release 1.27, which has none; else as
   * the gate `WatchList` says.
   */
  readonly watchLists: 'ungated' | 'enabled' | 'disabled';
  /** True if lists and watches take `shardSelector`. */
  readonly shards: boolean;
  /** True if a status and a scale have Tables, since release 1.24. */
  readonly subresourceTables: boolean;
}

/** The features of a server that emulates the default release. */
export const defaultListFeatures: ListFeatures = Object.freeze({
  chunking: true,
  watchLists: 'ungated',
  shards: false,
  subresourceTables: false,
});
