import type { ResourceEvent } from './resource-event.ts';
import type { Subscriber } from './subscriber.ts';

/** The objects that a watch selects by key: '' stands for every namespace, every name. */
export interface WatchScope {
  readonly namespace: string;
  readonly name: string;
}

/**
 * The live watches of one resource by scope, so that an event is offered only to watches that can
 * match.
 */
export class Subscriptions {
  readonly #byScope = new Map<string, Set<Subscriber>>();

  get size(): number {
    let size = 0;
    for (const subscribers of this.#byScope.values()) size += subscribers.size;
    return size;
  }

  add(scope: WatchScope, subscriber: Subscriber): void {
    const place = placeOf(scope.namespace, scope.name);
    const subscribers = this.#byScope.get(place) ?? new Set();
    this.#byScope.set(place, subscribers.add(subscriber));
  }

  remove(scope: WatchScope, subscriber: Subscriber): void {
    const place = placeOf(scope.namespace, scope.name);
    const subscribers = this.#byScope.get(place);
    subscribers?.delete(subscriber);
    if (subscribers?.size === 0) this.#byScope.delete(place);
  }

  /** Offers an event to each watch whose scope contains it. */
  dispatch(event: ResourceEvent): void {
    const { namespace, name } = event;
    this.#offer(placeOf('', ''), event);
    this.#offer(placeOf('', name), event);
    // For cluster-scoped objects these are the keys above.
    if (namespace === '') return;
    this.#offer(placeOf(namespace, ''), event);
    this.#offer(placeOf(namespace, name), event);
  }

  /** Ends all watches after their queued events. */
  endAll(error?: Error): void {
    // An ended watch is removed from its set, which the iteration of a Set allows.
    for (const subscribers of this.#byScope.values()) for (const each of subscribers) each.end(error);
  }

  #offer(place: string, event: ResourceEvent): void {
    const subscribers = this.#byScope.get(place);
    if (subscribers) for (const subscriber of subscribers) subscriber.offer(event);
  }
}

/** Neither part contains a slash. */
function placeOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

/** True if an event is in a scope. */
export function inScope({ namespace, name }: WatchScope, event: ResourceEvent): boolean {
  return (namespace === '' || namespace === event.namespace) && (name === '' || name === event.name);
}
