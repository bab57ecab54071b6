/** The last compaction of the store by this server. */
export interface CompactionNotes {
  revision: number;
  /** Milliseconds since 1970; 0 if there was none. */
  endedMs: number;
  /** The last failure after it; '' if there is none. */
  problem: string;
}
