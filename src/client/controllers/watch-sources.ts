import type { ApiObject, GenericObject } from '../api-object.ts';
import type { Informer } from '../informers/informer.ts';
import type { InformerFactory, InformerSelection } from '../informers/informer-factory.ts';
import type { ResourceReference } from '../resource-path.ts';

/** The name of an object; `namespace` is '' for one of the cluster. */
export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/** A resource that a controller watches besides its own. */
export interface WatchedSource {
  /** Enqueues the objects that depend on one that changes. */
  start(informers: InformerFactory, enqueue: Enqueue, signal: AbortSignal): Informer<ApiObject>;
}

/**
 * Makes a source of a resource and a function that names the objects to reconcile when an object of
 * the resource changes.
 */
export function watched<T extends ApiObject = GenericObject>(
  resource: ResourceReference<T>,
  map: (object: T) => readonly ObjectName[],
  select?: Omit<InformerSelection, 'signal'>,
): WatchedSource {
  return {
    start(informers, enqueue, signal) {
      return watchEach(informers.informer(resource, select), map, enqueue, signal);
    },
  };
}

type Enqueue = (name: ObjectName) => void;

/** Enqueues each object that changes. */
export function watchPrimary<T extends ApiObject>(
  informer: Informer<T>,
  enqueue: Enqueue,
  signal: AbortSignal,
): Informer<T> {
  return watchEach(informer, (object) => [nameOf(object)], enqueue, signal);
}

/** Enqueues the controlling owner of each object that changes, if it is an object of `owners`. */
export function watchOwned<T extends ApiObject>(
  informers: InformerFactory,
  owned: ResourceReference<ApiObject>,
  owners: Informer<T>,
  enqueue: Enqueue,
  signal: AbortSignal,
): Informer<ApiObject> {
  return watchEach(informers.informer(owned), (object) => ownerOf(object, owners), enqueue, signal);
}

function watchEach<T extends ApiObject>(
  informer: Informer<T>,
  map: (object: T) => readonly ObjectName[],
  enqueue: Enqueue,
  signal: AbortSignal,
): Informer<T> {
  const each = (object: T): void => map(object).forEach(enqueue);
  informer.subscribe(
    {
      add: each,
      update(object, old) {
        // The owner may have changed, and the previous one has to know it.
        each(old);
        each(object);
      },
      delete: each,
    },
    signal,
  );
  return informer;
}

/**
 * An owner is found by its name and uid, so that no kind has to be known. One that has not been
 * seen yet is reconciled when it is.
 */
function ownerOf<T extends ApiObject>({ metadata }: ApiObject, owners: Informer<T>): readonly ObjectName[] {
  const reference = metadata?.ownerReferences?.find(({ controller }) => controller);
  if (!reference) return [];
  const owner = owners.get(reference.name, metadata?.namespace) ?? owners.get(reference.name);
  return owner?.metadata?.uid === reference.uid ? [nameOf(owner)] : [];
}

function nameOf({ metadata }: ApiObject): ObjectName {
  return { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
}
