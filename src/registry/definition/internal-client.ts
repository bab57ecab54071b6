import type { JsonObject } from '../../meta/json-value.ts';
import type { DeleteOptions } from './delete-options.ts';

/**
 * The objects of one resource in the namespace of a request, in the storage version, for writes
 * that carry out a sub-resource such as an eviction. Without admission and validation: admission
 * has seen the sub-resource, and kube-apiserver too deletes an evicted pod in the registry, with
 * `ValidateAllObjectFunc` in place of admission. Webhooks match `pods/eviction`. Throws
 * `StatusError`; a dry run writes nothing. T is the generated type of the kind.
 */
export interface InternalClient<T = JsonObject> {
  /** Reads the object from the store; throws 404 if it does not exist. */
  get(name: string): Promise<T>;
  /** Iterates over all objects of a linearizable read. */
  list(): AsyncIterable<T>;
  /**
   * Changes an object in place with a guaranteed update. The transform runs again after each
   * conflict; it may throw to refuse.
   */
  change(name: string, transform: (object: T) => void): Promise<void>;
  delete(name: string, options: Omit<DeleteOptions, 'dryRun'>): Promise<void>;
}

/**
 * Finds the objects of a resource by the short group and the plural name of its storage. With
 * `dryRun` nothing is written, even if the request is no dry run.
 */
export type InternalClients = <T = JsonObject>(
  shortGroup: string,
  resource: string,
  dryRun?: boolean,
) => InternalClient<T>;
