import type { HttpExchange } from '../requests/http-exchange.ts';
import { tooManyRequests } from '../requests/byte-budget.ts';

/** Shorter responses are not charged: the limit of requests in flight limits them too. */
const chargedBytes = 64 * 1024;

/** Requests that may be refused after their work is done, because the client can repeat them. */
const repeatable: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);

/**
 * Charges a large response to the budget of responses that readers have not taken yet. Throws 429
 * for a read if the budget is used up. The response of a write is always sent, because the write
 * has happened.
 */
export function admitResponse(exchange: HttpExchange, bytes: number): void {
  if (bytes < chargedBytes || exchange.chargeResponse(bytes)) return;
  if (repeatable.has(exchange.request.method)) throw tooManyRequests();
}
