import type { ApiObject, GenericObject } from '../api-object.ts';
import type { ResourceReference } from '../resource-path.ts';
import type { IndexValues } from './indexer.ts';

/**
 * Callbacks for changes of an informer's objects. They run in order and must return soon: their
 * results are ignored, and a promise is not awaited. Errors, and reasons of rejected promises, go
 * to `onError` of the factory.
 */
export interface InformerHandlers<T extends ApiObject> {
  add?(object: T): unknown;
  update?(object: T, old: T): unknown;
  /**
   * `object` is the last known state. It may be older than the final one if `isFinal` is false: the
   * deletion was seen by the absence of the object in a list.
   */
  delete?(object: T, isFinal: boolean): unknown;
}

/** A selection of the objects of a lister. */
export interface ListerOptions {
  /** The namespace; undefined: all namespaces. */
  readonly namespace?: string;
  /** As in the API: `app=web,tier!=cache`. */
  readonly labelSelector?: string;
}

/** Reads the objects of an informer as last seen. Readers must not change them. */
export interface Lister<T extends ApiObject = GenericObject> {
  get(name: string, namespace?: string): T | undefined;
  list(options?: ListerOptions): T[];
  /** The objects with a value in an index. Throws TypeError for an unknown index. */
  byIndex(index: string, value: string): T[];
}

/**
 * A local copy of a collection, kept up to date by one list and watch for all its readers. Objects
 * are shared by all readers, and have no `metadata.managedFields`.
 */
export interface Informer<T extends ApiObject = GenericObject> extends Lister<T> {
  readonly reference: ResourceReference<T>;
  /** True after the first list. */
  readonly hasSynced: boolean;
  /** The version up to which all changes have been seen; '' before the first list. */
  readonly resourceVersion: string;
  /** Waits for the first list. Rejects when the signal aborts or the informer stops. */
  synced(signal?: AbortSignal): Promise<void>;
  /**
   * Waits until all changes up to a version have been seen, such as the version of an object that
   * the caller wrote. A version of other objects is seen with the next bookmark, within about a
   * minute.
   */
  waitFor(resourceVersion: string, signal?: AbortSignal): Promise<void>;
  /** Adds an index, at any time. One with the name of another replaces it. */
  addIndex(name: string, valuesOf: IndexValues<T>): void;
  /** Calls handlers for each present object, and for changes until the signal aborts. */
  subscribe(handlers: InformerHandlers<T>, signal?: AbortSignal): void;
}
