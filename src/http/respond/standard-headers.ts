import type { Exchange } from '../request/exchange.ts';

/**
 * Returns the headers of every response, with the warnings so far: names and values alternately,
 * the cheapest form for Node. The caller appends its own headers.
 */
export function standardHeaders(
  { auditId, warnings }: Exchange,
  contentType: string,
  cacheControl = 'no-cache, private',
): string[] {
  const headers = [
    'Audit-Id',
    auditId,
    'Cache-Control',
    cacheControl,
    'X-Content-Type-Options',
    'nosniff',
    'Content-Type',
    contentType,
  ];
  for (const warning of warnings.headers()) headers.push('Warning', warning);
  return headers;
}
