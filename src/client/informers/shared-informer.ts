import { newDeferred } from '../../async/deferred.ts';
import { onAbort, untilAborted } from '../../async/abort-signals.ts';
import { parseLabelSelector } from '../../meta/label-selector.ts';
import type { ApiObject, ObjectMetadata } from '../api-object.ts';
import type { ResourceReference } from '../resource-path.ts';
import type { Informer, InformerHandlers, ListerOptions } from './informer.ts';
import { type IndexValues, Indexer } from './indexer.ts';

/** The texts that are remembered; then it begins again. */
const textLimit = 10_000;

/**
 * Gives equal texts of objects one string. Every parsed object has strings of its own, of 24 bytes
 * or more, although most objects share their namespace, their owner and their labels.
 */
class TextPool {
  readonly #texts = new Map<string, string>();

  /** Replaces the strings of metadata that other objects may have too. */
  shareIn(metadata: ObjectMetadata): void {
    const { namespace, creationTimestamp, labels, ownerReferences } = metadata;
    if (namespace !== undefined) metadata.namespace = this.#share(namespace);
    if (creationTimestamp !== undefined) metadata.creationTimestamp = this.#share(creationTimestamp);
    for (const name in labels) labels[name] = this.#share(labels[name] ?? '');
    for (const owner of ownerReferences ?? []) {
      owner.apiVersion = this.#share(owner.apiVersion);
      owner.kind = this.#share(owner.kind);
      owner.name = this.#share(owner.name);
      owner.uid = this.#share(owner.uid);
    }
  }

  #share(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size >= textLimit) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }
}

const decimal = /^[0-9]+$/;

/**
 * True if a resourceVersion is the wanted one or a later one. Versions are compared as numbers, as
 * the servers count them; versions that are none can only be equal.
 */
function reachedVersion(seen: string, wanted: string): boolean {
  if (seen === wanted) return true;
  if (!decimal.test(seen) || !decimal.test(wanted)) return false;
  return seen.length === wanted.length ? seen > wanted : seen.length > wanted.length;
}

interface VersionWaiter {
  readonly version: string;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** The store of an informer and its readers. `reflect` delivers the changes. */
export class SharedInformer<T extends ApiObject> implements Informer<T> {
  readonly reference: ResourceReference<T>;
  readonly #store = new Indexer<T>();
  readonly #texts = new TextPool();
  readonly #subscribers = new Set<{ readonly handlers: InformerHandlers<T> }>();
  readonly #waiters = new Set<VersionWaiter>();
  readonly #onError: (error: unknown) => void;
  readonly #stopped: AbortSignal;
  #resourceVersion = '';

  /** `stopped` ends all waiting; errors of handlers go to `onError`. */
  constructor(reference: ResourceReference<T>, onError: (error: unknown) => void, stopped: AbortSignal) {
    this.reference = reference;
    this.#onError = onError;
    this.#stopped = stopped;
    onAbort(stopped, () => this.#rejectWaiters());
  }

  get hasSynced(): boolean {
    return this.#resourceVersion !== '';
  }

  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  synced(signal?: AbortSignal): Promise<void> {
    return this.hasSynced ? Promise.resolve() : this.#wait('', signal);
  }

  waitFor(resourceVersion: string, signal?: AbortSignal): Promise<void> {
    const reached = this.hasSynced && reachedVersion(this.#resourceVersion, resourceVersion);
    return reached ? Promise.resolve() : this.#wait(resourceVersion, signal);
  }

  get(name: string, namespace?: string): T | undefined {
    return this.#store.get(name, namespace);
  }

  list({ namespace, labelSelector }: ListerOptions = {}): T[] {
    const objects = [...(namespace === undefined ? this.#store.values() : this.#store.inNamespace(namespace))];
    if (!labelSelector) return objects;
    const matches = parseLabelSelector(labelSelector);
    return objects.filter(({ metadata }) => matches(metadata?.labels ?? {}));
  }

  byIndex(index: string, value: string): T[] {
    return this.#store.byIndex(index, value);
  }

  addIndex(name: string, valuesOf: IndexValues<T>): void {
    this.#store.addIndex(name, valuesOf);
  }

  subscribe(handlers: InformerHandlers<T>, signal?: AbortSignal): void {
    if (signal?.aborted) return;
    for (const object of this.#store.values()) this.#call(() => handlers.add?.(object));
    // An entry of its own, because the same handlers may be subscribed twice.
    const subscriber = { handlers };
    this.#subscribers.add(subscriber);
    onAbort(signal, () => this.#subscribers.delete(subscriber));
  }

  /** Delivers a present object, and returns the one that it replaces. */
  put(object: T): T | undefined {
    if (object.metadata) {
      delete object.metadata.managedFields;
      this.#texts.shareIn(object.metadata);
    }
    const old = this.#store.put(object);
    if (!old) this.#each((handlers) => handlers.add?.(object));
    else if (old.metadata?.uid !== object.metadata?.uid) {
      // Deleted and created again while disconnected: same name, another object.
      this.#each((handlers) => handlers.delete?.(old, false));
      this.#each((handlers) => handlers.add?.(object));
    } else if (old.metadata?.resourceVersion !== object.metadata?.resourceVersion) {
      this.#each((handlers) => handlers.update?.(object, old));
    }
    return old;
  }

  /** Delivers a deletion; `isFinal` if the object has its last state. */
  remove(object: T, isFinal: boolean): void {
    const old = this.#store.remove(object);
    if (object.metadata) delete object.metadata.managedFields;
    if (old) this.#each((handlers) => handlers.delete?.(object, isFinal));
  }

  /** The present objects. */
  values(): Iterable<T> {
    return this.#store.values();
  }

  /** All changes up to this version have been delivered. */
  progress(resourceVersion: string): void {
    this.#resourceVersion = resourceVersion;
    for (const waiter of this.#waiters) {
      if (waiter.version === '' || reachedVersion(resourceVersion, waiter.version)) {
        this.#waiters.delete(waiter);
        waiter.resolve();
      }
    }
  }

  async #wait(version: string, signal?: AbortSignal): Promise<void> {
    this.#stopped.throwIfAborted();
    const { promise, resolve, reject } = newDeferred<void>();
    const waiter = { version, resolve, reject };
    this.#waiters.add(waiter);
    try {
      await untilAborted(promise, signal);
    } finally {
      this.#waiters.delete(waiter);
    }
  }

  #rejectWaiters(): void {
    for (const { reject } of this.#waiters) reject(this.#stopped.reason);
    this.#waiters.clear();
  }

  #each(call: (handlers: InformerHandlers<T>) => unknown): void {
    for (const { handlers } of this.#subscribers) this.#call(() => call(handlers));
  }

  /** A handler that throws, or whose promise rejects, must not stop the informer or the process. */
  #call(handler: () => unknown): void {
    try {
      const result = handler();
      if (result instanceof Promise) result.catch(this.#onError);
    } catch (error) {
      this.#onError(error);
    }
  }
}
