import type { Log } from '../../http-protocol/requests/log.ts';
import { sourceAddresses } from '../../http-protocol/messages/source-addresses.ts';
import { shownPath } from '../request/shown-path.ts';
import type { Filter } from '../filters/filter.ts';

/** Logs each request at its end, with the field names of kube-apiserver; without its query. */
export function requestLines(log: Log): Filter {
  return (exchange) => {
    // Read now: at the end of the request the connection may be gone.
    const srcIP = sourceAddresses(exchange.request).at(-1) ?? '';
    exchange.onEnd(({ status, durationMs, aborted }) => {
      const { request, verb, user, auditId } = exchange;
      const details = {
        verb: verb.toUpperCase(),
        URI: shownPath(exchange),
        latency: `${durationMs.toFixed(3)}ms`,
        userAgent: request.headers['user-agent'] ?? '',
        user: user.username,
        'audit-ID': auditId,
        srcIP,
        resp: status,
        ...(aborted ? { aborted } : {}),
      };
      log.info(details, 'HTTP');
    });
  };
}
