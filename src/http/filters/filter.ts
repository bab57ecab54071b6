import type { Exchange } from '../request/exchange.ts';

/**
 * A step of every request: passes it on by returning, or refuses it by throwing a `StatusError`.
 * Answers a promise only where it has to wait, because each one costs the request a turn. Filters
 * stand in one list, in the order in which they run. What a filter does when the answer is over it
 * registers with the exchange: `onEnd`, or `onDone` for what the work on the request holds.
 */
export type Filter = (exchange: Exchange) => Promise<void> | void;
