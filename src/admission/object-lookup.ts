import type { JsonObject } from '../meta/json-value.ts';

/**
 * Reads the objects of one resource that plugins decide by (classes, for the most part), in the storage version. What is
 * answered is shared and must not be changed.
 */
export interface ObjectLookup {
  /** A name that is not known here is looked up in the store: what was created a moment ago is found. */
  find(name: string, signal: AbortSignal): Promise<JsonObject | undefined>;
  /** All objects, as they are now. */
  list(signal: AbortSignal): Promise<readonly JsonObject[]>;
  /** All objects of which this server has heard, which costs no read; those of the last moment may be missing. */
  listKnown(signal: AbortSignal): Promise<readonly JsonObject[]>;
}

/** Gives the lookup of a resource, by full group and plural name. */
export type LookupOf = (group: string, resource: string) => ObjectLookup;
