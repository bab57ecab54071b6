import { Responded } from '../../http-protocol/requests/http-exchange.ts';
import { sendAsItIs } from '../../http-protocol/responses/send-bytes.ts';
import type { Exchange } from '../request/exchange.ts';
import type { Filter } from './filter.ts';

/** Paths of probes and metrics, which are served in any state of the server. */
const exemptPaths = ['/readyz', '/livez', '/healthz', '/metrics'];

/** The `Retry-After` of a stopping or starting server; another server may answer sooner. */
const retrySeconds = '5';

/**
 * Answers requests with 429 while the server drains (`--shutdown-send-retry-after`), until its
 * listener closes.
 */
export function retryWhileStopping(shutdown: AbortSignal): Filter {
  return (exchange) => {
    if (!shutdown.aborted || isExempt(exchange)) return;
    refuse(exchange, 429, 'The apiserver is shutting down, please try again later.');
  };
}

/**
 * Answers requests with 503 until the server has been ready once
 * (`--send-retry-after-while-not-ready-once`), except for administrators. Runs after
 * authentication.
 */
export function retryUntilReady(isReady: () => boolean, administrators: string): Filter {
  let hasBeenReady = false;
  return (exchange) => {
    hasBeenReady ||= isReady();
    if (hasBeenReady || isExempt(exchange) || exchange.user.groups.includes(administrators)) return;
    refuse(exchange, 503, "The apiserver hasn't been fully initialized yet, please try again later.");
  };
}

function isExempt({ request }: Exchange): boolean {
  return exemptPaths.some((path) => request.url?.startsWith(path));
}

function refuse(exchange: Exchange, status: number, text: string): never {
  exchange.addHeader('Retry-After', retrySeconds);
  sendAsItIs(exchange, { status, contentType: 'text/plain; charset=utf-8', body: Buffer.from(`${text}\n`) });
  throw new Responded();
}
