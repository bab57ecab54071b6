import type { Exchange } from '../request/exchange.ts';
import { tooManyRequests } from '../request/too-many-requests.ts';

/** Shorter answers are not charged: the bound on requests in flight bounds them too. */
const chargedBytes = 64 * 1024;

/** Requests that may be sent again when they are refused here, after their work is done. */
const repeatable: ReadonlySet<string> = new Set(['get', 'list']);

/**
 * Charges a large answer to the budget of answers that readers have not taken yet. Throws 429 for a read that finds it used up. The
 * answer of a write is sent in any case, because the write has happened.
 */
export function admitAnswer(exchange: Exchange, bytes: number): void {
  if (bytes < chargedBytes || exchange.chargeAnswer(bytes)) return;
  if (repeatable.has(exchange.verb)) throw tooManyRequests();
}
