import { hasReason } from './api-error.ts';
import type { ApiObject, GenericObject, WatchEvent } from './api-object.ts';
import { type BackOffOptions, backOffMs, clientBackOff } from '../async/back-off.ts';
import type { ResourceClient } from './resource-client.ts';
import { pause } from '../async/pause.ts';

/** What to do when the informer's picture changes. Handlers run in order, and must return soon. */
export interface InformerHandlers<T extends ApiObject> {
  add?(object: T): void;
  update?(object: T, old: T): void;
  /** `object` is the last state that was seen; for a deletion found by listing anew it can be older than the end. */
  delete?(object: T): void;
}

/** Options of an informer. */
export interface InformerOptions<T extends ApiObject> {
  readonly resource: ResourceClient<T>;
  /** Left out: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly handlers?: InformerHandlers<T>;
  /** Failures that the informer recovers from, and errors that handlers throw. */
  readonly onError?: (error: unknown) => void;
  readonly backoff?: BackOffOptions;
}

/** A watch is asked to last between one and two times this; a fresh connection balances servers. */
const watchSeconds = 300;
/** A watch that ends sooner without an event counts as a failure, so that a broken server is not hammered. */
const shortWatchMs = 1000;

/**
 * A local picture of a collection, kept true by one list and a watch from there on. A watch that ends is resumed; one
 * that is too old (410) is followed by a new list, whose differences the handlers get.
 *
 * @example
 * const informer = new Informer({ resource: secrets, handlers: { add: (secret) => console.log(secret.metadata?.name) } });
 * const running = informer.run(signal);
 * await informer.synced;
 */
export class Informer<T extends ApiObject = GenericObject> {
  /** Settles when the first list has been handed to the handlers. */
  readonly synced: Promise<void>;
  readonly #options: InformerOptions<T>;
  readonly #objects = new Map<string, T>();
  #resolveSynced: () => void = () => {};
  /** The version to resume from; '' asks for a new list. */
  #resourceVersion = '';

  constructor(options: InformerOptions<T>) {
    this.#options = options;
    this.synced = new Promise((resolve) => {
      this.#resolveSynced = resolve;
    });
  }

  /** The object as last seen. */
  get(name: string, namespace = ''): T | undefined {
    return this.#objects.get(`${namespace}/${name}`);
  }

  /** All objects as last seen. */
  list(): T[] {
    return [...this.#objects.values()];
  }

  /** Lists and watches until the signal aborts. Call it once. */
  async run(signal: AbortSignal): Promise<void> {
    const { backoff = clientBackOff } = this.#options;
    let failures = 0;
    while (!signal.aborted) {
      try {
        if (this.#resourceVersion === '') await this.#list(signal);
        if (await this.#watch(signal)) failures = 0;
        else await pause(backOffMs(failures++, backoff), signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#report(error);
        // History is gone, and only a new list helps; older servers say Gone.
        if (hasReason(error, 'Expired', 'Gone')) this.#resourceVersion = '';
        await pause(backOffMs(failures++, backoff), signal);
      }
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { resource, namespace, labelSelector, fieldSelector } = this.#options;
    const listed = new Map<string, T>();
    let resourceVersion = '';
    for await (const page of resource.pages({ namespace, labelSelector, fieldSelector, signal })) {
      for (const object of page.items) listed.set(keyOf(object), object);
      resourceVersion = page.metadata.resourceVersion ?? '';
    }
    for (const [key, object] of this.#objects) if (!listed.has(key)) this.#remove(key, object);
    for (const [key, object] of listed) this.#put(key, object);
    this.#resourceVersion = resourceVersion;
    this.#resolveSynced();
  }

  /** Answers whether the watch was of use: it brought something, or lasted. */
  async #watch(signal: AbortSignal): Promise<boolean> {
    const { resource, namespace, labelSelector, fieldSelector } = this.#options;
    const startedAt = performance.now();
    let useful = false;
    const events = resource.watch({
      namespace,
      labelSelector,
      fieldSelector,
      resourceVersion: this.#resourceVersion,
      allowWatchBookmarks: true,
      timeoutSeconds: Math.ceil(watchSeconds * (1 + Math.random())),
      signal,
    });
    for await (const event of events) {
      this.#apply(event);
      useful = true;
    }
    return useful || performance.now() - startedAt > shortWatchMs;
  }

  #apply({ type, object }: WatchEvent<T>): void {
    const key = keyOf(object);
    if (type === 'DELETED') this.#remove(key, object);
    else if (type !== 'BOOKMARK') this.#put(key, object);
    this.#resourceVersion = object.metadata?.resourceVersion ?? this.#resourceVersion;
  }

  #put(key: string, object: T): void {
    const old = this.#objects.get(key);
    this.#objects.set(key, object);
    if (!old) this.#call(() => this.#options.handlers?.add?.(object));
    else if (old.metadata?.uid !== object.metadata?.uid) {
      // Deleted and made again between two lists: the name is the same, the object is not.
      this.#call(() => this.#options.handlers?.delete?.(old));
      this.#call(() => this.#options.handlers?.add?.(object));
    } else if (old.metadata?.resourceVersion !== object.metadata?.resourceVersion) {
      this.#call(() => this.#options.handlers?.update?.(object, old));
    }
  }

  #remove(key: string, object: T): void {
    if (this.#objects.delete(key)) this.#call(() => this.#options.handlers?.delete?.(object));
  }

  #call(handler: () => void): void {
    try {
      handler();
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    this.#options.onError?.(error);
  }
}

function keyOf({ metadata }: ApiObject): string {
  return `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}
