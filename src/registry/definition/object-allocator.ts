import type { JsonObject } from '../../meta/json-value.ts';

/**
 * Allocates values that at most one object may hold, such as an address or a port, across all
 * servers of a store. An allocation is recorded in the store before its object is written, and
 * released after its object is deleted.
 */
export interface ObjectAllocator<T = JsonObject> {
  /**
   * Allocates the values that the object requests or lacks and sets them in the object. Called
   * after validation and before validating admission. `old` is the replaced object. A dry run
   * allocates nothing. Throws `StatusError`; nothing is allocated then.
   */
  reserve(object: T, write: AllocationWrite<T>): Promise<Reservation | undefined>;
  /** Releases the values of a deleted object. */
  release(object: T): Promise<void>;
}

/** The write that an allocation belongs to. */
export interface AllocationWrite<T = JsonObject> {
  readonly old: T | undefined;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/**
 * The allocations of one write. At most one method is called, once the outcome of the write is
 * known; none if it stays unknown, or for a new object that was written.
 */
export interface Reservation {
  /** The object was written: releases the values that it no longer holds. */
  settle(): Promise<void>;
  /** The object was not written: releases the values allocated for it. */
  undo(): Promise<void>;
}
