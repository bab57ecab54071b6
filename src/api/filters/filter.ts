import type { Exchange } from '../request/exchange.ts';

/**
 * A step of every request: returns to pass the request on, or throws a `StatusError` to refuse it.
 * Returns a promise only if it has to wait, because a promise delays the request. Filters are in
 * one list, in execution order. For work after the response a filter registers a listener: `onEnd`,
 * or `onDone` to release resources of the work on the request.
 */
export type Filter = (exchange: Exchange) => Promise<void> | void;

/** A filter with its name in traces. */
export interface NamedFilter {
  readonly name: string;
  readonly run: Filter;
}
