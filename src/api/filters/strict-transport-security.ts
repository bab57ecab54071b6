import type { Filter } from './filter.ts';

/**
 * Tells browsers to use HTTPS only (RFC 6797, `--strict-transport-security-directives`). Applies to
 * every response.
 */
export function strictTransportSecurity(directives: readonly string[]): Filter {
  const value = directives.join('; ');
  return (exchange) => exchange.addHeader('Strict-Transport-Security', value);
}
