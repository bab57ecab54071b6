import type { Exchange } from '../request/exchange.ts';

/**
 * The beginning of every answer's headers, whatever becomes of the request, with the warnings gathered so far: names and values in turn, the form that Node takes with
 * the least work. The caller puts its own behind them.
 */
export function standardHeaders({ auditId, warnings }: Exchange, contentType: string): string[] {
  const headers = [
    'Audit-Id',
    auditId,
    'Cache-Control',
    'no-cache, private',
    'X-Content-Type-Options',
    'nosniff',
    'Content-Type',
    contentType,
  ];
  for (const warning of warnings.headers()) headers.push('Warning', warning);
  return headers;
}
