import type { Auditor } from '../../audit/auditor.ts';
import { RequestAudit } from '../../audit/request-audit.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { StatusError } from '../../status/status-error.ts';
import type { Exchange } from '../request/exchange.ts';
import { requestedTarget } from '../request/path-segment-name.ts';
import { sourceAddresses } from '../../http-protocol/messages/source-addresses.ts';
import type { Filter } from './filter.ts';

/** Longer user agents are cut, because a client can send any text. */
const longestUserAgent = 1024;

/**
 * Prepares the audit of a request. Runs before authentication, so that refused credentials are
 * recorded too.
 */
export function openAudit(auditor: Auditor, { apiDomain }: Identifiers): Filter {
  const truncated = `audit.${apiDomain}/truncated`;
  return (exchange) => {
    const isLongRunning = exchange.verb === 'watch' || exchange.isConnection;
    const sender = () => senderOf(exchange);
    const target = requestedTarget(exchange);
    exchange.audit = new RequestAudit(exchange, { auditor, target, isLongRunning, sender, truncated });
  };
}

/**
 * Records the arrival of an authenticated request, if the policy says so. Refuses it if that must
 * succeed and fails.
 */
export const recordArrival: Filter = (exchange) => {
  const { audit } = exchange;
  if (!audit?.decide()) {
    exchange.audit = undefined;
    return undefined;
  }
  exchange.onDone(({ status }) => audit.ended(status));
  const isRecorded = audit.received();
  if (isRecorded instanceof Promise) return isRecorded.then((done) => requireRecorded(exchange, done));
  return requireRecorded(exchange, isRecorded);
};

function requireRecorded(exchange: Exchange, isRecorded: boolean): void {
  if (isRecorded) return;
  exchange.audit?.rejected();
  exchange.audit = undefined;
  const path = JSON.stringify(exchange.path.decoded);
  throw new StatusError('InternalError', `Internal Server Error: ${path}: failed to store audit event`);
}

function senderOf({ request, path: { sent, query } }: Exchange) {
  const userAgent = request.headers['user-agent'] ?? '';
  return {
    // Without the host of an absolute form, which may have a password.
    requestUri: query === '' ? sent : `${sent}?${query}`,
    sourceIps: sourceAddresses(request),
    userAgent: userAgent.length > longestUserAgent ? `${userAgent.slice(0, longestUserAgent)}...TRUNCATED` : userAgent,
  };
}
