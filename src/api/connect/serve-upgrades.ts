import { type IncomingHttpHeaders, type IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import { findRemoteAmong } from '../request/find-remote.ts';
import type { ApiServices } from '../api-services/api-services.ts';
import { closeAfterResponse } from '../../http-protocol/requests/close-after-response.ts';
import type { OpenRequests } from '../../http-protocol/requests/open-requests.ts';
import { parseRequestPath, type RequestPath } from '../request/request-path.ts';
import { parseQuery } from '../../http-protocol/requests/query.ts';
import { isWatchQuery } from '../options/option-values.ts';
import { noteUpgrade, Upgrade } from '../../http-protocol/messages/upgrade.ts';
import { maxHeadersCount } from '../../http-protocol/messages/server-settings.ts';
import { afterEarlierResponses } from './after-earlier-responses.ts';
import { type ConnectSubresource, findConnectAmong } from './connect-subresource.ts';
import { linesWithoutUpgrade } from './lines-without-upgrade.ts';
import type { Socket } from 'node:net';

/** The events of a server of node:http, node:https or node:http2 that are used for upgrades. */
interface UpgradeSource {
  on(event: 'upgrade', listener: (request: IncomingMessage, socket: unknown, head: Buffer) => void): unknown;
  emit(event: string, ...values: readonly unknown[]): boolean;
}

/** The receivers of upgrade requests. */
interface UpgradeOptions {
  /** The handler of all requests. */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** Tracks the requests that the handler opens. */
  readonly requests: OpenRequests;
  /** The only resources that can upgrade a connection. */
  readonly connects: readonly ConnectSubresource[];
  /** The versions of other servers: every path may upgrade its connection; none if absent. */
  readonly services?: ApiServices | undefined;
}

/**
 * Passes upgrade requests to the handler of all requests, with a response that writes to their
 * connection. Node's server has detached from the connection at that point. Only connect
 * sub-resources and watches over WebSockets accept an upgrade. Any other request is served without
 * it, as RFC 9110, 7.8 allows and kube-apiserver does. Requests on a connection are served in
 * order.
 */
export function serveUpgrades(server: UpgradeSource, { handler, requests, connects, services }: UpgradeOptions): void {
  const findConnect = findConnectAmong(connects);
  const findRemote = findRemoteAmong(services);
  const mayUpgrade = ({ method, url = '', headers }: IncomingMessage): boolean => {
    try {
      const path = parseRequestPath(url);
      if (findRemote(path)) return true;
      if (!path.target) return false;
      return findConnect(path.target) !== undefined || (method === 'GET' && isWebSocket(headers) && isWatch(path));
    } catch {
      // The handler refuses the path.
      return false;
    }
  };
  server.on('upgrade', (request, _socket, head) => {
    const ignored = !mayUpgrade(request) || isMereOffer(request.headers.upgrade ?? '');
    const serve = ignored && !hasTooManyHeaders(request) ? readAgain : serveUpgrade;
    const release = holdReading(request.socket);
    afterEarlierResponses(request, requests, () => serve({ server, handler, request, head, release }));
  });
}

function isWebSocket({ upgrade }: IncomingHttpHeaders): boolean {
  return upgrade?.toLowerCase() === 'websocket';
}

/** True for the path and query of a watch, which can be a WebSocket. */
function isWatch({ target, query }: RequestPath): boolean {
  return target?.prefix === 'watch' || (target?.name === '' && isWatchQuery(parseQuery(query)));
}

/** Protocols that some clients offer with every request, without requiring the upgrade. */
function isMereOffer(upgrade: string): boolean {
  return /^h2c?$|^TLS\//i.test(upgrade);
}

/** True for a request that the handler refuses. Node omits the header lines beyond the limit. */
function hasTooManyHeaders({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length > 2 * maxHeadersCount;
}

/** An upgrade request, with the bytes that arrived after its header. */
interface UpgradeRequest {
  readonly server: UpgradeSource;
  readonly handler: UpgradeOptions['handler'];
  readonly request: IncomingMessage;
  readonly head: Buffer;
  /** Lets the socket be read. */
  readonly release: () => void;
}

function serveUpgrade({ handler, request, head, release }: UpgradeRequest): void {
  const { socket } = request;
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  // The end of the connection is handled in its `close` event.
  socket.on('error', () => undefined);
  const upgrade = new Upgrade({ request, response, head, release });
  noteUpgrade(request, upgrade);
  response.on('finish', () => {
    if (upgrade.accepted) return;
    release();
    closeAfterResponse(socket);
  });
  handler(request, response);
}

/**
 * Returns a connection to the server as if no upgrade were requested. Node's parser stops at
 * an upgrade, so that the body of the request and later requests still have to be parsed.
 */
function readAgain({ server, request, head, release }: UpgradeRequest): void {
  const { socket, method, url, httpVersion } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`, ...linesWithoutUpgrade(request.rawHeaders), '', ''];
  socket.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]));
  release();
  server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket);
}

/**
 * Keeps received bytes in a socket until the returned function is called. Node resumes the socket
 * at the end of each request; bytes that arrive before a `data` listener is added would be lost. A
 * stream with a `readable` listener does not flow.
 */
function holdReading(socket: Socket): () => void {
  socket.on('readable', ignore);
  return () => socket.off('readable', ignore);
}

function ignore(): void {}
