import type { JsonObject } from '../meta/json-value.ts';
import type { DeleteOptions } from './delete-options.ts';

/**
 * The objects of one resource in the namespace of a request, in the storage version, for what the server itself does with
 * them: nothing is admitted or validated. Throws `StatusError`; in a dry run nothing is written.
 */
export interface ObjectAccess {
  /** As it is now; 404 where there is none. */
  get(name: string): Promise<JsonObject>;
  /** All, one by one, as they are now. */
  list(): AsyncIterable<JsonObject>;
  /** Changes an object in place in one guaranteed update, and again on every conflict; the transform may refuse. */
  change(name: string, transform: (object: JsonObject) => void): Promise<void>;
  delete(name: string, options: Omit<DeleteOptions, 'dryRun'>): Promise<void>;
}

/**
 * Finds the objects of a resource by the short group and the plural name under which they are stored. `dryRun` writes nothing,
 * whatever the request says.
 */
export type ObjectsOf = (shortGroup: string, resource: string, dryRun?: boolean) => ObjectAccess;
