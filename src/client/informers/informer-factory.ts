import { type BackOffOptions, clientBackOff } from '../../async/timers.ts';
import { onAbort } from '../../async/abort-signals.ts';
import type { ApiObject, GenericObject, PartialObjectMetadata } from '../api-object.ts';
import type { Client } from '../client.ts';
import type { ResourceClient } from '../resource-client.ts';
import type { ResourceReference } from '../resource-path.ts';
import type { Informer } from './informer.ts';
import type { InformerMetrics } from './informer-metrics.ts';
import { reflect } from './reflect.ts';
import { SharedInformer } from './shared-informer.ts';

/** The objects of an informer, and its lifetime. */
export interface InformerSelection {
  /** The namespace; undefined: the factory's. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /**
   * The lifetime of this reader. An informer stops when the signals of all its readers have
   * aborted. Without one the reader lives until the factory's signal aborts.
   */
  readonly signal?: AbortSignal;
}

/** Options of a factory. */
export interface InformerFactoryOptions {
  /** Stops all informers. */
  readonly signal: AbortSignal;
  /** The namespace of informers that do not specify one. Undefined: all namespaces. */
  readonly namespace?: string;
  /** Called with errors that informers recover from, and errors that handlers throw. */
  readonly onError?: (error: unknown, reference: ResourceReference<ApiObject>) => void;
  /** The delays between failed requests. */
  readonly backoff?: BackOffOptions;
  /**
   * A watch without an event or a bookmark for this time is replaced, because its server may be
   * gone. The default is 150 seconds; servers send a bookmark every minute.
   */
  readonly idleTimeoutMs?: number;
  readonly metrics?: InformerMetrics;
}

/** Informers of one client; equal requests share one. */
export interface InformerFactory {
  readonly client: Client;
  /** The informer of a resource and selection. The first request starts it. */
  informer<T extends ApiObject = GenericObject>(
    reference: ResourceReference<T>,
    selection?: InformerSelection,
  ): Informer<T>;
  /**
   * An informer of the metadata of any resource. If one of whole objects with the same selection
   * runs already, it is that one.
   */
  metadataInformer(
    reference: ResourceReference<ApiObject>,
    selection?: InformerSelection,
  ): Informer<PartialObjectMetadata>;
  /** Waits for the first lists of all informers that were requested. */
  synced(signal?: AbortSignal): Promise<void>;
}

type InformerForm = 'object' | 'metadata';

const defaultIdleTimeoutMs = 150_000;

/**
 * Creates a factory of shared informers.
 *
 * @example
 * const informers = createInformerFactory(client, { signal });
 * const pods = informers.informer({ group: '', version: 'v1', resource: 'pods' });
 * pods.subscribe({ add: (pod) => console.log(pod.metadata?.name) });
 * await pods.synced();
 * console.log(pods.list({ namespace: 'default', labelSelector: 'app=web' }).length);
 */
export function createInformerFactory(client: Client, options: InformerFactoryOptions): InformerFactory {
  const running = new Map<string, RunningInformer>();

  function share<T extends ApiObject>(resource: ResourceClient<T>, form: InformerForm, selection: InformerSelection) {
    const { namespace = options.namespace, labelSelector, fieldSelector, signal } = selection;
    const { group, version, resource: name } = resource.reference;
    const keyOf = (of: InformerForm) =>
      JSON.stringify([of, group, version, name, namespace, labelSelector, fieldSelector]);
    const key = keyOf(form);
    // Whole objects have the metadata too: another watch would send every change twice.
    let found = running.get(key) ?? (form === 'metadata' ? running.get(keyOf('object')) : undefined);
    if (!found) {
      found = start(resource, { namespace, labelSelector, fieldSelector }, options, () => running.delete(key));
      running.set(key, found);
    }
    found.addReader(signal);
    // The key contains the resource, whose objects have this type.
    return found.informer as unknown as Informer<T>;
  }

  return {
    client,
    informer: (reference, selection = {}) => share(client.resource(reference), 'object', selection),
    metadataInformer: (reference, selection = {}) => share(client.metadata(reference), 'metadata', selection),
    async synced(signal) {
      await Promise.all([...running.values()].map(({ informer }) => informer.synced(signal)));
    },
  };
}

interface RunningInformer {
  readonly informer: Informer<ApiObject>;
  addReader(signal: AbortSignal | undefined): void;
}

function start<T extends ApiObject>(
  resource: ResourceClient<T>,
  selection: Omit<InformerSelection, 'signal'>,
  options: InformerFactoryOptions,
  onStop: () => void,
): RunningInformer {
  const { signal, backoff = clientBackOff, idleTimeoutMs = defaultIdleTimeoutMs, metrics } = options;
  const { reference } = resource;
  const stop = new AbortController();
  const onError = (error: unknown): void => options.onError?.(error, reference);
  const target = new SharedInformer<T>(reference, onError, stop.signal);
  let readers = 0;
  const end = (reason: unknown): void => {
    release();
    onStop();
    stop.abort(reason);
  };
  const release = onAbort(signal, () => stop.abort(signal.reason));
  const observer = metrics?.observe([reference.resource, reference.group].filter((part) => part !== '').join('.'));
  void reflect({ resource, ...selection, target, onError, backoff, idleTimeoutMs, observer }, stop.signal);
  return {
    informer: target,
    addReader(reader) {
      readers++;
      onAbort(reader, () => {
        if (--readers === 0) end(reader?.reason);
      });
    },
  };
}
