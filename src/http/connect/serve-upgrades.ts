import { type IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import { closeAfterResponse } from '../request/close-after-response.ts';
import { maxHeadersCount } from '../server-settings.ts';
import { isMereOffer } from './mere-offer.ts';
import { noteUpgrade, Upgrade } from '../request/upgrade.ts';

/** The events of a server of node:http, node:https or node:http2 that are used for upgrades. */
interface UpgradeSource {
  on(event: 'upgrade', listener: (request: IncomingMessage, socket: unknown, head: Buffer) => void): unknown;
  emit(event: string, ...values: readonly unknown[]): boolean;
}

/**
 * Passes upgrade requests to the handler of all requests, with a response that writes to their
 * connection. Node's server has detached from the connection at that point.
 */
export function serveUpgrades(
  server: UpgradeSource,
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  server.on('upgrade', (request, _socket, head) => {
    const { socket } = request;
    const response = responseOn(request);
    if (!response) {
      // An earlier request on the connection has no response yet, so that the protocol cannot
      // change.
      socket.destroy();
      return;
    }
    if (offersOnly(request)) {
      response.detachSocket(socket);
      return readAgain(server, request, head);
    }
    // The end of the connection is handled in its `close` event.
    socket.on('error', () => undefined);
    const upgrade = new Upgrade(request, response, head);
    noteUpgrade(request, upgrade);
    response.on('finish', () => {
      if (!upgrade.accepted) closeAfterResponse(socket);
    });
    handler(request, response);
  });
}

/**
 * Creates the response of a request, which is the last one on its connection. Undefined if the
 * response of an earlier request still uses the connection.
 */
function responseOn(request: IncomingMessage): ServerResponse | undefined {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  try {
    response.assignSocket(request.socket);
    return response;
  } catch {
    return undefined;
  }
}

/**
 * True if the request only offers an optional protocol. A request with too many header lines is
 * false, so that it is refused.
 */
function offersOnly({ headers, rawHeaders }: IncomingMessage): boolean {
  return isMereOffer(headers.upgrade ?? '') && rawHeaders.length <= 2 * maxHeadersCount;
}

/**
 * Returns a connection to the server as if there were no `Upgrade` header. Node's parser stops at
 * an upgrade, so that the body of the request and later requests still have to be parsed.
 */
function readAgain(server: UpgradeSource, request: IncomingMessage, head: Buffer): void {
  const { socket, method, url, httpVersion } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`, ...linesWithoutOffer(request.rawHeaders), '', ''];
  socket.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]));
  server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket);
}

function linesWithoutOffer(rawHeaders: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${rawHeaders[index + 1] ?? ''}`);
  }
  return lines;
}
