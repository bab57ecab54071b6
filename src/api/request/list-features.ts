/** The features of lists and watches that depend on feature gates and the emulated release. */
export interface ListFeatures {
  /** False if `limit` is ignored and lists are returned whole. */
  readonly chunking: boolean;
  /**
   * The rules of `sendInitialEvents`: `ungated` before release 1.27, which has no gate; then the
   * state of the gate `WatchList`.
   */
  readonly watchLists: 'ungated' | 'enabled' | 'disabled';
  /** True if lists and watches support `shardSelector`. */
  readonly shards: boolean;
  /** True if status and scale have Tables, since release 1.24. */
  readonly subresourceTables: boolean;
}

/** The features of a server that emulates the default release. */
export const defaultListFeatures: ListFeatures = Object.freeze({
  chunking: true,
  watchLists: 'ungated',
  shards: false,
  subresourceTables: false,
});
