/** The last compaction of the store by this server. */
export interface CompactionNotes {
  revision: number;
  /** The end of the last compaction, in milliseconds since 1970; 0 if there was none. */
  endedMs: number;
  /** The last failure since then; '' if there is none. */
  problem: string;
}
