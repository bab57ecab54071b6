import type { Exchange } from '../request/exchange.ts';

/** Headers of every answer, whatever becomes of the request; given with the others at once, which spares a look-up for each. */
export function standardHeaders({ auditId }: Exchange): Readonly<Record<string, string>> {
  return { 'Audit-Id': auditId, 'Cache-Control': 'no-cache, private', 'X-Content-Type-Options': 'nosniff' };
}
