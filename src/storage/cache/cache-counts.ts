/** The metrics of the cache of one resource. */
export interface CacheCounts {
  readonly objects: number;
  /** Live watches. */
  readonly watches: number;
  /** Watches that were ended because their readers exceeded the queue limit. */
  readonly cutWatches: number;
  /** Values of the store that could not be decoded. */
  readonly decodeErrors: number;
  /** Events that watches got before the live ones: the state that they began with, or history. */
  readonly initialEvents: number;
  /** The largest number of events in the history. */
  readonly capacity: number;
  /** The events of the store that changed the cache and were dispatched to watches. */
  readonly events: number;
  /** How often the cache was filled. */
  readonly fills: number;
  /** The lists that the cache answered, and the objects in their responses. */
  readonly lists: number;
  readonly listedObjects: number;
  /** The revision of the cache; 0 until it is filled. */
  readonly revision: number;
}
