import type { ResourceEvent } from './resource-event.ts';
import type { Subscriber } from './subscriber.ts';

/** What a watch looks at: '' stands for every namespace, every name. */
export interface WatchScope {
  readonly namespace: string;
  readonly name: string;
}

/** The live watches of one resource, found by what they look at, so that an event touches only those that can match. */
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

  /** Offers an event to each watch whose scope it is in. */
  dispatch(event: ResourceEvent): void {
    const { namespace, name } = event;
    this.#offer(placeOf('', ''), event);
    this.#offer(placeOf('', name), event);
    // Objects without a namespace would find the same places again.
    if (namespace === '') return;
    this.#offer(placeOf(namespace, ''), event);
    this.#offer(placeOf(namespace, name), event);
  }

  /** Ends all watches behind what they have queued. */
  endAll(error?: Error): void {
    // Each one that ends is taken out of its set, which the loop over a set allows.
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

/** Whether an event is in a scope. */
export function inScope({ namespace, name }: WatchScope, event: ResourceEvent): boolean {
  return (namespace === '' || namespace === event.namespace) && (name === '' || name === event.name);
}
