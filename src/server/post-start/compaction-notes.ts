import type { ObjectStore } from '../../storage/port/object-store.ts';

/** The last compaction of a store by this server. */
export interface CompactionNotes {
  revision: number;
  /** The end of the last compaction, in milliseconds since 1970; 0 if there was none. */
  endedMs: number;
  /** The last failure since then; '' if there is none. */
  problem: string;
}

/** The compactions of all stores: each is compacted apart. */
export type CompactionsByStore = ReadonlyMap<ObjectStore, CompactionNotes>;

/** Notes of stores that were not compacted yet. */
export function noCompactions(stores: readonly ObjectStore[]): CompactionsByStore {
  return new Map(stores.map((store) => [store, { revision: 0, endedMs: 0, problem: '' }]));
}
