import type { Exchange } from '../request/exchange.ts';

/**
 * The beginning of every answer's headers, whatever becomes of the request: names and values in turn, the form that Node takes with
 * the least work. The caller puts its own behind them.
 */
export function standardHeaders({ auditId }: Exchange, contentType: string): string[] {
  return [
    'Audit-Id',
    auditId,
    'Cache-Control',
    'no-cache, private',
    'X-Content-Type-Options',
    'nosniff',
    'Content-Type',
    contentType,
  ];
}
