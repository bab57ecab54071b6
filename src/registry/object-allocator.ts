import type { JsonObject } from '../meta/json-value.ts';

/**
 * Gives objects what at most one of them may have (an address, a port), across all servers of a store. Whatever is held is
 * recorded in the store before the object that holds it is written, and given back after that object is gone.
 */
export interface ObjectAllocator {
  /**
   * Takes what the object asks for or lacks, and fills it in: the last step before it is written. `old` is what the write
   * replaces. In a dry run nothing is taken. Throws `StatusError`, and has then taken nothing.
   */
  reserve(object: JsonObject, write: AllocationWrite): Promise<Reservation | undefined>;
  /** Gives back what an object held that was removed. */
  release(object: JsonObject): Promise<void>;
}

/** The write for which something is taken. */
export interface AllocationWrite {
  readonly old: JsonObject | undefined;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/** What was taken for a write: exactly one of the two is called when the outcome of the write is known. */
export interface Reservation {
  /** The object was written: gives back what it no longer holds. */
  settle(): Promise<void>;
  /** The object was not written: gives back what was taken. */
  undo(): Promise<void>;
}
