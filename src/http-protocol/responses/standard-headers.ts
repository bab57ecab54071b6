import type { HttpExchange } from '../requests/http-exchange.ts';

/**
 * Returns the headers of every response, with the added headers and warnings so far: names and
 * values alternately, the cheapest form for Node. The caller appends its own headers.
 */
export function standardHeaders(
  { auditId, warnings, headers: added, trace }: HttpExchange,
  contentType: string | undefined,
  cacheControl = 'no-cache, private',
): string[] {
  const headers = ['Audit-Id', auditId, 'Cache-Control', cacheControl, 'X-Content-Type-Options', 'nosniff'];
  if (contentType !== undefined) headers.push('Content-Type', contentType);
  if (added.length > 0) headers.push(...added);
  if (trace?.isAllowed) headers.push('Server-Timing', trace.header());
  for (const warning of warnings.headers()) headers.push('Warning', warning);
  return headers;
}
