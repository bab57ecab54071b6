import { StatusError } from '../../status/status-error.ts';
import { clientHost } from '../../http-protocol/forward/forwarded-headers.ts';
import type { Exchange } from '../request/exchange.ts';
import { isDashboardPath } from '../dashboard/dashboard-files.ts';
import { isAllowedOrigin } from './cors-origins.ts';
import type { Filter } from './filter.ts';

/** A response of another program: opened as a page, it has no scripts and no origin. */
const harmless = "default-src 'none'; sandbox; frame-ancestors 'none'";

/**
 * Protects the origin of the dashboard. A browser adds a client certificate to each request, also
 * to those that pages of other sites cause: these are refused, except for the files of the
 * dashboard and the origins of `--cors-allowed-origins`. Responses of pods, services, nodes and
 * other servers come from the same origin as the dashboard, so that they may not run as pages.
 */
export function crossSiteRequests(origins: readonly RegExp[]): Filter {
  return (exchange) => {
    if (exchange.connect || exchange.remote) exchange.addHeader('Content-Security-Policy', harmless);
    if (!isCrossSite(exchange) || isDashboardPath(exchange.path.decoded)) return;
    const { origin } = exchange.request.headers;
    if (typeof origin === 'string' && isAllowedOrigin(origins, origin)) return;
    throw new StatusError('Forbidden', 'forbidden: a page of another site caused the request');
  };
}

/** Browsers say it in `Sec-Fetch-Site`, and where they do not, in `Origin`. */
function isCrossSite({ request }: Exchange): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return typeof origin === 'string' && hostOf(origin) !== clientHost(request).toLowerCase();
}

function hostOf(origin: string): string {
  try {
    return new URL(origin).host;
  } catch {
    return '';
  }
}
