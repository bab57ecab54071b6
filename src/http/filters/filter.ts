import type { Exchange } from '../request/exchange.ts';

/**
 * A step of every request: passes it on by returning, or refuses it by throwing a `StatusError`. Answers a promise only where it
 * has to wait, because each one costs the request a turn. Filters stand in one list, in the order in which they run.
 */
export type Filter = (exchange: Exchange) => Promise<void> | void;

/** Runs the filters from a place on; a promise only where one of them waits. */
export function runFilters(filters: readonly Filter[], exchange: Exchange, from = 0): Promise<void> | void {
  for (let index = from; index < filters.length; index++) {
    const pending = filters[index]?.(exchange);
    if (pending) return pending.then(() => runFilters(filters, exchange, index + 1));
  }
}
