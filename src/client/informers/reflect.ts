import { backOffMs, type BackOffOptions, pause } from '../../async/timers.ts';
import type { ApiObject } from '../api-object.ts';
import type { ResourceClient } from '../resource-client.ts';
import { hasReason } from '../error-of-response.ts';
import type { InformerObserver } from './informer-metrics.ts';

/** Receives the state of a collection and its changes, in the order of the server. */
interface ReflectorTarget<T extends ApiObject> {
  /** Returns the object that it replaces. */
  put(object: T): T | undefined;
  /** `isFinal`: the object has its last state. False if it was absent in a list. */
  remove(object: T, isFinal: boolean): void;
  values(): Iterable<T>;
  /** All changes up to this version have been delivered. */
  progress(resourceVersion: string): void;
}

/** The collection that is reflected, and how. */
interface ReflectorOptions<T extends ApiObject> {
  readonly resource: ResourceClient<T>;
  /** The namespace; undefined: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly target: ReflectorTarget<T>;
  /** Called with the errors that are recovered from. */
  readonly onError: (error: unknown) => void;
  readonly backoff: BackOffOptions;
  /** A watch is replaced when nothing arrives for this time. */
  readonly idleTimeoutMs: number;
  readonly observer?: InformerObserver | undefined;
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

/** Errors after which a resourceVersion cannot be resumed. Older servers return Gone. */
const newListReasons = ['Expired', 'Gone', 'NotFound'] as const;

/**
 * Delivers a collection to its target until the signal aborts: a list, then a watch. A watch that
 * worked is resumed at once at the last version, bookmarks included, whether the server ended it or
 * the connection was lost. If that version is too old (410), a new list follows after a delay, and
 * the target gets the differences. Only consecutive failures make the delay longer.
 */
export async function reflect<T extends ApiObject>(options: ReflectorOptions<T>, signal: AbortSignal): Promise<void> {
  const { target, backoff, onError, observer } = options;
  let failures = 0;
  /** The version to resume from; '' requests a new list. */
  let resourceVersion = '';
  const progress = (version: string): void => {
    resourceVersion = version;
    target.progress(version);
    observer?.reached(version);
  };
  while (!signal.aborted) {
    let worked = false;
    try {
      if (resourceVersion === '') progress(await deliverList(options, signal));
      const watch = new WatchProgress(resourceVersion);
      try {
        await deliverWatch(options, watch, progress, signal);
      } finally {
        worked = watch.worked();
      }
    } catch (error) {
      if (signal.aborted) return;
      onError(error);
      // A kind that is gone may come back with other objects.
      if (hasReason(error, ...newListReasons)) resourceVersion = '';
    }
    failures = worked ? 0 : failures + 1;
    if (!worked || resourceVersion === '') await pause(backOffMs(Math.max(0, failures - 1), backoff), signal);
  }
}

/** Delivers pages as they arrive, then the deletions; returns the version of the list. */
async function deliverList<T extends ApiObject>(options: ReflectorOptions<T>, signal: AbortSignal): Promise<string> {
  const { resource, namespace, labelSelector, fieldSelector, target, observer } = options;
  const startedAt = performance.now();
  const gone = new Set(target.values());
  let [resourceVersion, count] = ['', 0];
  for await (const page of resource.pages({ namespace, labelSelector, fieldSelector, signal })) {
    count += page.items.length;
    for (const object of page.items) {
      const old = target.put(object);
      if (old) gone.delete(old);
    }
    resourceVersion = page.metadata.resourceVersion ?? '';
  }
  for (const object of gone) target.remove(object, false);
  observer?.listed(count, performance.now() - startedAt);
  return resourceVersion;
}

/** One watch, and the events that it has delivered. */
class WatchProgress {
  readonly #startedAt = performance.now();
  /** The version at which the watch starts. */
  readonly from: string;
  #reached: string;
  count = 0;

  constructor(resourceVersion: string) {
    this.from = resourceVersion;
    this.#reached = resourceVersion;
  }

  /** Counts an event, and returns its version. */
  add({ metadata }: ApiObject): string | undefined {
    this.count++;
    if (metadata?.resourceVersion) this.#reached = metadata.resourceVersion;
    return metadata?.resourceVersion;
  }

  elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  /**
   * True if an event or a bookmark made the version advance, so that the next watch begins later
   * than this one, or if the watch lasted.
   */
  worked(): boolean {
    return this.#reached !== this.from || this.elapsedMs() > shortWatchMs;
  }
}

/** Delivers events until the watch ends. */
async function deliverWatch<T extends ApiObject>(
  { resource, namespace, labelSelector, fieldSelector, idleTimeoutMs, target, observer }: ReflectorOptions<T>,
  watch: WatchProgress,
  progress: (version: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const events = resource.watch({
    namespace,
    labelSelector,
    fieldSelector,
    resourceVersion: watch.from,
    allowWatchBookmarks: true,
    timeoutSeconds: Math.ceil(watchSeconds * (1 + Math.random())),
    idleTimeoutMs,
    signal,
  });
  try {
    for await (const { type, object } of events) {
      if (type === 'DELETED') target.remove(object, true);
      else if (type !== 'BOOKMARK') target.put(object);
      const version = watch.add(object);
      if (version) progress(version);
    }
  } finally {
    observer?.watched(watch.count, watch.elapsedMs(), !watch.worked());
  }
}
