import { randomBytes } from 'node:crypto';
import { type Backend, type BackendRequest, hostOf, type UpgradeAnswer } from '../../outbound/backend.ts';
import type { ServerAddress } from '../../outbound/json-client.ts';
import { networkErrorText } from '../../outbound/call-error.ts';
import { StatusError } from '../../status/status-error.ts';
import { hasBody, takeBody } from '../../http-protocol/forward/request-body.ts';
import { pathForOthers, queryForOthers } from '../../api/request/encode-path.ts';
import { ClientGone } from '../../http-protocol/requests/http-exchange.ts';
import type { Exchange } from '../../api/request/exchange.ts';
import { type Upgrade, upgradeOf } from '../../http-protocol/messages/upgrade.ts';
import type { RemoteApiService } from '../../api/api-services/api-service.ts';
import type { Forward, ForwardOptions } from '../../api/request/forward.ts';
import { forwardResponse, sendText } from './forward-response.ts';
import { forwardedRequestHeaders, hasPassed, forwardedResponseHeaders } from './forwarded-request-headers.ts';
import type { SpanAttributes } from '../../tracing/span.ts';
import { linkSignals } from '../../async/abort-signals.ts';
import { joinSockets } from '../../http-protocol/forward/join-sockets.ts';

/** The ways to the servers of APIServices. */
export interface BackendSource {
  /** The connections to the server of an APIService. */
  readonly backendOf: (service: RemoteApiService) => Backend;
  /** Finds an address of its Service. Rejects if it has none. */
  readonly addressOf: (service: RemoteApiService, signal: AbortSignal) => Promise<ServerAddress>;
}

/** The time for the resources of a version, which every client asks for (as in kube-apiserver). */
const discoveryTimeoutMs = 5_000;

/** Reading or writing beyond a backend that is not available answers 503 with this text. */
const unavailableText = 'service unavailable';

/**
 * Creates the handler of requests for versions that other servers serve. Nothing is buffered:
 * bodies pass in both directions at the pace of the slower side, and the end of one side ends the
 * other.
 */
export function createForward(
  { backendOf, addressOf }: BackendSource,
  { refused, product, shutdown, tracing }: ForwardOptions,
): Forward {
  const pseudonym = `${product}-${randomBytes(8).toString('hex')}`;
  const refuse = (exchange: Exchange, service: RemoteApiService, status: number, text: string): void => {
    refused(exchange, service, status);
    sendText(exchange, status, text);
  };
  return async (exchange, service) => {
    const { request } = exchange;
    const path = targetOf(exchange);
    if (!service.isAvailable) return refuse(exchange, service, 503, unavailableText);
    if (hasPassed(request.rawHeaders, pseudonym)) {
      return refuse(exchange, service, 508, `the APIService ${service.name} leads back to this server`);
    }
    const stopWatch = exchange.verb === 'watch' ? endAt(exchange, shutdown) : undefined;
    try {
      const address = await addressOf(service, exchange.signal).catch(() => undefined);
      if (!address) return refuse(exchange, service, 503, unavailableText);
      const send = async (): Promise<void> => {
        const trace = tracing ? { trace: tracing.headers() } : {};
        const headers = forwardedRequestHeaders(exchange, { host: hostOf(address), pseudonym, ...trace });
        await pass(exchange, backendOf(service), { address, path, headers, shutdown });
      };
      const attributes = (): SpanAttributes => ({ 'server.address': address.host, 'server.port': address.port });
      await (tracing ? tracing.child(`HTTP ${request.method ?? 'GET'}`, attributes, send, 'client') : send());
    } finally {
      stopWatch?.();
    }
  };
}

/** A peer that a request is forwarded to. */
interface Destination {
  readonly address: ServerAddress;
  /** Additional headers, as names and values alternately. */
  readonly headers: readonly string[];
  /** Ends watches and upgraded connections at shutdown. */
  readonly shutdown: AbortSignal;
}

/** Forwards a request to a peer and returns its response, as for an APIService. */
export async function passTo(
  exchange: Exchange,
  backend: Backend,
  { address, headers, shutdown }: Destination,
): Promise<void> {
  const stopWatch = exchange.verb === 'watch' ? endAt(exchange, shutdown) : undefined;
  const forwarded = forwardedRequestHeaders(exchange, { host: hostOf(address), pseudonym: 'peer' });
  const passing = { address, path: targetOf(exchange), headers: [...forwarded, ...headers], shutdown };
  try {
    await pass(exchange, backend, passing);
  } finally {
    stopWatch?.();
  }
}

/** How a request is passed on. */
interface Passing {
  readonly address: ServerAddress;
  /** The path and the query. */
  readonly path: string;
  readonly headers: string[];
  readonly shutdown: AbortSignal;
}

async function pass(
  exchange: Exchange,
  backend: Backend,
  { address, path, headers, shutdown }: Passing,
): Promise<void> {
  const { request } = exchange;
  const upgrade = upgradeOf(request);
  const outgoing = { address, method: request.method ?? 'GET', path };
  const timer = new AbortController();
  const timeout = isDiscovery(exchange) ? setTimeout(() => timer.abort(), discoveryTimeoutMs) : undefined;
  const signal = timeout ? AbortSignal.any([exchange.signal, timer.signal]) : exchange.signal;
  try {
    if (upgrade) {
      const asked = [...headers, ...upgradeHeaders(upgrade)];
      return await forwardUpgrade(
        exchange,
        upgrade,
        await backend.upgrade({ ...outgoing, headers: asked, signal }),
        shutdown,
      );
    }
    const response = await backend.send({ ...outgoing, ...bodyOf(exchange, headers), ...duration(exchange), signal });
    await forwardResponse(exchange, response);
  } catch (error) {
    unreachable(exchange, error, timer.signal.aborted);
  } finally {
    clearTimeout(timeout);
  }
}

/** Answers for a backend that gave no response. Errors of this server pass. */
function unreachable(exchange: Exchange, error: unknown, timedOut: boolean): void {
  const { signal, response } = exchange;
  if (signal.aborted) throw signal.reason;
  if (error instanceof StatusError || response.headersSent || !(error instanceof Error)) throw error;
  const why = timedOut ? 'context deadline exceeded' : networkErrorText(error);
  sendText(exchange, 503, `error trying to reach service: ${why}`);
}

function upgradeHeaders({ protocol }: Upgrade): readonly string[] {
  return ['Connection', 'Upgrade', 'Upgrade', protocol];
}

function duration({ verb, isConnection }: Exchange): Pick<BackendRequest, 'longRunning'> {
  return verb === 'watch' || isConnection ? { longRunning: true } : {};
}

/** The path and the query, written from the authorized request. */
function targetOf({ path }: Exchange): string {
  const query = queryForOthers(path.query);
  return query === '' ? pathForOthers(path) : `${pathForOthers(path)}?${query}`;
}

/** The body of a request and the headers that belong to it. */
function bodyOf(exchange: Exchange, headers: readonly string[]): Pick<BackendRequest, 'body' | 'headers'> {
  if (hasBody(exchange)) return { headers, body: takeBody(exchange) };
  return { headers: headers.flatMap((text, index) => (isLength(headers, index) ? [] : [text])) };
}

function isLength(headers: readonly string[], index: number): boolean {
  return headers[index - (index % 2)]?.toLowerCase() === 'content-length';
}

/** True for the path of a version, with its resources. */
function isDiscovery({ path }: Exchange): boolean {
  return path.target === undefined && path.segments.length === 3;
}

/** Ends a watch without an error when the server drains. Returns a function that undoes this. */
function endAt(exchange: Exchange, shutdown: AbortSignal): () => void {
  const end = (): void => {
    exchange.response.end();
    exchange.abort(new ClientGone());
  };
  if (shutdown.aborted) end();
  else shutdown.addEventListener('abort', end, { once: true });
  return () => shutdown.removeEventListener('abort', end);
}

/**
 * Connects a client with a backend that has accepted the upgrade: bytes pass in both directions
 * until one side ends, at the pace of the slower one. Any other answer is passed on as a response.
 * Ends when the exchange does, or when the server drains.
 */
async function forwardUpgrade(
  exchange: Exchange,
  upgrade: Upgrade,
  answer: UpgradeAnswer,
  shutdown: AbortSignal,
): Promise<void> {
  if (!answer.upgraded) return forwardResponse(exchange, answer.response);
  const { headers, socket, head } = answer;
  // The client may have gone meanwhile.
  if (exchange.ended || exchange.signal.aborted) {
    socket.destroy();
    return;
  }
  if (head.length > 0) socket.unshift(head);
  const protocol = valueOf(headers, 'upgrade');
  const client = upgrade.accept(protocol, forwardedResponseHeaders(headers));
  exchange.audit?.started(101);
  exchange.audit?.flush();
  const { signal, release } = linkSignals(exchange.signal, shutdown);
  await joinSockets(client, socket, { signal, onSent: (bytes) => (exchange.sentBytes += bytes) });
  release();
}

function valueOf(headers: readonly string[], lowerCaseName: string): string {
  const index = headers.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === lowerCaseName);
  return index < 0 ? '' : (headers[index + 1] ?? '');
}
