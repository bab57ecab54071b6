import { type BackOffOptions, backOffMs } from '../../async/back-off.ts';
import { pause } from '../../async/pause.ts';
import type { ApiObject } from '../api-object.ts';
import type { ResourceClient } from '../resource-client.ts';
import { hasReason } from '../status-error.ts';
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
  /** Undefined: all namespaces. */
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

/**
 * Delivers a collection to its target until the signal aborts: a list, then a watch. A watch that
 * ends is resumed at the last version, bookmarks included. If that version is too old (410), a new
 * list follows after a delay, and the target gets the differences.
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
    try {
      if (resourceVersion === '') progress(await deliverList(options, signal));
      if (await deliverWatch(options, resourceVersion, progress, signal)) failures = 0;
      else await pause(backOffMs(failures++, backoff), signal);
    } catch (error) {
      if (signal.aborted) return;
      onError(error);
      // A new list is needed after the history is gone (older servers return Gone), and for a kind
      // that went and may come back with other objects.
      if (hasReason(error, 'Expired', 'Gone', 'NotFound')) resourceVersion = '';
      await pause(backOffMs(failures++, backoff), signal);
    }
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

/** Watches until the watch ends. Returns true if it delivered an event, or lasted long enough. */
async function deliverWatch<T extends ApiObject>(
  { resource, namespace, labelSelector, fieldSelector, idleTimeoutMs, target, observer }: ReflectorOptions<T>,
  resourceVersion: string,
  progress: (version: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const startedAt = performance.now();
  let count = 0;
  const events = resource.watch({
    namespace,
    labelSelector,
    fieldSelector,
    resourceVersion,
    allowWatchBookmarks: true,
    timeoutSeconds: Math.ceil(watchSeconds * (1 + Math.random())),
    idleTimeoutMs,
    signal,
  });
  const isShort = (): boolean => count === 0 && performance.now() - startedAt <= shortWatchMs;
  try {
    for await (const { type, object } of events) {
      count++;
      if (type === 'DELETED') target.remove(object, true);
      else if (type !== 'BOOKMARK') target.put(object);
      if (object.metadata?.resourceVersion) progress(object.metadata.resourceVersion);
    }
    return !isShort();
  } finally {
    observer?.watched(count, performance.now() - startedAt, isShort());
  }
}
