import { hasReason } from './api-error.ts';
import type { ApiObject, GenericObject, WatchEvent } from './api-object.ts';
import { type BackOffOptions, backOffMs, clientBackOff } from '../async/back-off.ts';
import type { ResourceClient } from './resource-client.ts';
import { pause } from '../async/pause.ts';

/** Callbacks for changes of the informer's store. They run in order and must return soon. */
export interface InformerHandlers<T extends ApiObject> {
  add?(object: T): void;
  update?(object: T, old: T): void;
  /**
   * `object` is the last known state. If a new list shows the deletion, it may be older than the
   * final state.
   */
  delete?(object: T): void;
}

/** Options of an informer. */
export interface InformerOptions<T extends ApiObject> {
  readonly resource: ResourceClient<T>;
  /** Undefined: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly handlers?: InformerHandlers<T>;
  /** Called with errors that the informer recovers from, and errors that handlers throw. */
  readonly onError?: (error: unknown) => void;
  readonly backoff?: BackOffOptions;
}

/**
 * Minimum timeout of a watch; the maximum is twice that. New connections spread the load over
 * servers.
 */
const watchSeconds = 300;
/**
 * A watch that ends earlier without an event counts as a failure, so that a broken server is not
 * flooded with requests.
 */
const shortWatchMs = 1000;

/**
 * A local copy of a collection, kept up to date by a list and a watch. A watch that ends is
 * resumed. If its version is too old (410), a new list follows, and the handlers get the
 * differences.
 *
 * @example
 * const add = (secret: ApiObject) => console.log(secret.metadata?.name);
 * const informer = new Informer({ resource: secrets, handlers: { add } });
 * const running = informer.run(signal);
 * await informer.synced;
 */
export class Informer<T extends ApiObject = GenericObject> {
  /** Settles when the handlers have received the first list. */
  readonly synced: Promise<void>;
  readonly #options: InformerOptions<T>;
  readonly #objects = new Map<string, T>();
  #resolveSynced: () => void = () => {};
  /** The resourceVersion to resume from; '' requests a new list. */
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
        // History is gone, and a new list is needed; older servers return Gone.
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

  /** Watches until the watch ends. Returns true if it delivered an event, or lasted long enough. */
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
      // Deleted and created again between two lists: same name, another object.
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
