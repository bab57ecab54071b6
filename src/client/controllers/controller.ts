import type { ApiObject, GenericObject } from '../api-object.ts';
import type { Informer } from '../informers/informer.ts';
import type { InformerFactory, InformerSelection } from '../informers/informer-factory.ts';
import { objectKey } from '../informers/indexer.ts';
import type { QueueMetrics } from '../queue/queue-metrics.ts';
import type { RetryRate } from '../queue/retry-delays.ts';
import { WorkQueue } from '../queue/work-queue.ts';
import type { ResourceReference } from '../resource-path.ts';
import { type ObjectName, type WatchedSource, watchOwned, watchPrimary } from './watch-sources.ts';

/** One call of `reconcile`. */
export interface ReconcileRequest<T extends ApiObject = GenericObject> extends ObjectName {
  /** The object as last seen, which is shared and must not be changed; undefined if it is gone. */
  readonly object: T | undefined;
  /** Aborts when the controller stops. */
  readonly signal: AbortSignal;
  /** The failures since the last success. */
  readonly failures: number;
}

/** The result of `reconcile`; nothing if only a change is a reason for the next call. */
export interface ReconcileResult {
  /** Calls again after this time, even without a change. Ignored unless it is greater than 0. */
  readonly requeueAfterMs?: number;
}

/** Options of a controller. */
export interface ControllerOptions<T extends ApiObject = GenericObject> {
  /** Names its metrics and its errors. */
  readonly name: string;
  readonly informers: InformerFactory;
  /** The resource whose objects are reconciled. */
  readonly for: ResourceReference<T>;
  /** The objects of `for` that are reconciled; all by default. */
  readonly select?: Omit<InformerSelection, 'signal'>;
  /** Resources whose objects are controlled by one of `for`; it is reconciled when they change. */
  readonly owns?: readonly ResourceReference<ApiObject>[];
  /** Other resources on which the objects depend; see `watched`. */
  readonly watches?: readonly WatchedSource[];
  /**
   * Brings the world closer to the object's specification. Called for every object at the start and
   * for each that changes, never twice at the same time for one object. If it throws, it is called
   * again after a delay that grows with each failure.
   */
  readonly reconcile: (request: ReconcileRequest<T>) => Promise<ReconcileResult | void>;
  /** Number of objects that are reconciled at the same time. The default is 1. */
  readonly concurrency?: number;
  /** Called with the errors of `reconcile`, and the delay until the next call. */
  readonly onError?: (error: unknown, object: ObjectName, retryMs: number) => void;
  /** As in client-go by default: 5 ms to 1,000 s for an object, 10 in a second for all. */
  readonly retryRate?: RetryRate;
  readonly metrics?: QueueMetrics;
}

/** A control loop. */
export interface Controller<T extends ApiObject = GenericObject> {
  readonly name: string;
  /** The objects of `for`. */
  readonly informer: Informer<T>;
  /** Reconciles an object although nothing changed. */
  enqueue(name: string, namespace?: string): void;
  /**
   * Reconciles after the first lists of all its resources, until the signal aborts; resolves when
   * calls in progress have ended. Call it once.
   */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Creates a controller: it calls `reconcile` for each object of a resource when the object, or one
 * that depends on it, changes.
 *
 * @example
 * const informers = createInformerFactory(client, { signal });
 * const greeter = controller<Greeting>({
 *   name: 'greeter',
 *   informers,
 *   for: { group: 'example.com', version: 'v1', resource: 'greetings' },
 *   owns: [{ group: '', version: 'v1', resource: 'configmaps' }],
 *   async reconcile({ object, signal }) {
 *     if (object) await configMaps.apply(mapOf(object), { fieldManager: 'greeter', signal });
 *   },
 * });
 * await greeter.run(signal);
 */
export function controller<T extends ApiObject = GenericObject>(options: ControllerOptions<T>): Controller<T> {
  const { name, informers, concurrency, retryRate, metrics } = options;
  const queue = new WorkQueue({ name, retryRate, metrics });
  const informer = informers.informer(options.for, options.select);
  const enqueue = (each: ObjectName): void => queue.add(objectKey(each.name, each.namespace));

  async function handle(item: string, signal: AbortSignal): Promise<void> {
    const target = nameOf(item);
    const object = informer.get(target.name, target.namespace);
    const result = await options.reconcile({ ...target, object, signal, failures: queue.failuresOf(item) });
    const { requeueAfterMs = 0 } = result ?? {};
    // A call at once, again and again, would occupy the process; false for NaN too.
    if (requeueAfterMs > 0) queue.addAfter(item, requeueAfterMs);
  }

  return {
    name,
    informer,
    enqueue: (objectName, namespace) => queue.add(objectKey(objectName, namespace)),
    async run(signal) {
      const sources = [
        watchPrimary(informer, enqueue, signal),
        ...(options.owns ?? []).map((owned) => watchOwned(informers, owned, informer, enqueue, signal)),
        ...(options.watches ?? []).map((source) => source.start(informers, enqueue, signal)),
      ];
      try {
        await Promise.all(sources.map((source) => source.synced(signal)));
      } catch (error) {
        if (signal.aborted) return;
        throw error;
      }
      const onError = (error: unknown, item: string, retryMs: number): void => {
        if (!signal.aborted) options.onError?.(error, nameOf(item), retryMs);
      };
      await queue.process({ concurrency, handle: (item) => handle(item, signal), onError }, signal);
    },
  };
}

/** The inverse of `objectKey`. */
function nameOf(key: string): ObjectName {
  const at = key.indexOf('/');
  return at < 0 ? { namespace: '', name: key } : { namespace: key.slice(0, at), name: key.slice(at + 1) };
}
