import { type IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import { closeAfterAnswer } from '../request/close-after-answer.ts';
import { maxHeadersCount } from '../server-settings.ts';
import { isMereOffer } from './mere-offer.ts';
import { noteUpgrade, Upgrade } from '../request/upgrade.ts';

/** The part of a server of node:http, node:https or node:http2 that knows of upgrades. */
interface UpgradeSource {
  on(event: 'upgrade', listener: (request: IncomingMessage, socket: unknown, head: Buffer) => void): unknown;
  emit(event: string, ...values: readonly unknown[]): boolean;
}

/**
 * Passes requests for an upgrade to the handler of all requests, with an answer that is written to
 * their connection. Node's server has left the connection by then.
 */
export function serveUpgrades(
  server: UpgradeSource,
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  server.on('upgrade', (request, _socket, head) => {
    const { socket } = request;
    const response = responseOn(request);
    if (!response) {
      // An earlier request of the connection has no answer yet, for which the other protocol could
      // not wait.
      socket.destroy();
      return;
    }
    if (offersOnly(request)) {
      response.detachSocket(socket);
      return readAgain(server, request, head);
    }
    // The end of the connection is noticed by its `close`.
    socket.on('error', () => undefined);
    const upgrade = new Upgrade(request, response, head);
    noteUpgrade(request, upgrade);
    response.on('finish', () => {
      if (!upgrade.accepted) closeAfterAnswer(socket);
    });
    handler(request, response);
  });
}

/**
 * An answer that is written to the connection of a request and is the last one; undefined while
 * another has the connection.
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

/** Requests with more header lines than are kept are refused, whatever they offer. */
function offersOnly({ headers, rawHeaders }: IncomingMessage): boolean {
  return isMereOffer(headers.upgrade ?? '') && rawHeaders.length <= 2 * maxHeadersCount;
}

/**
 * Gives a connection back to the server as if the client had offered nothing: Node's parser stops
 * at an upgrade, and the body of the request and those that follow it are still to be read.
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
