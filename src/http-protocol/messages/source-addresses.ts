import { isIP, type Socket } from 'node:net';
import type { HttpRequest } from './http-message.ts';
import { memoize } from '../../meta/memoize.ts';

/** More addresses of proxies are not recorded. */
const mostForwarded = 32;

/**
 * Returns the addresses that a request came from, for its audit record: those that proxies wrote
 * into `X-Forwarded-For` and `X-Real-Ip`, which a client can forge, and last the address of the
 * connection.
 */
export function sourceAddresses(request: HttpRequest): readonly string[] {
  const { headers } = request;
  const remote = remoteAddress(request);
  const forwarded = headers['x-forwarded-for'];
  const real = headers['x-real-ip'];
  if (forwarded === undefined && real === undefined) return remote === '' ? [] : [remote];
  const found = textOf(forwarded)
    .split(',')
    .map((part) => part.trim())
    .filter((part) => isIP(part) !== 0)
    .slice(0, mostForwarded);
  const ownReal = textOf(real);
  if (isIP(ownReal) !== 0 && !found.includes(ownReal)) found.push(ownReal);
  if (remote !== '' && found.at(-1) !== remote) found.push(remote);
  return found;
}

function textOf(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' ? header : (header?.[0] ?? '');
}

/**
 * Returns the address of the client of a connection; '' if the connection ended before the first
 * call.
 */
export function remoteAddress(request: HttpRequest): string {
  const connection = 'session' in request ? request.session : request.socket;
  if (!connection) return '';
  return addressOf(connection);
}

/** A connection of HTTP/1.1 or of HTTP/2. */
type ClientConnection =
  | Pick<Socket, 'remoteAddress'>
  | { readonly socket: Pick<Socket, 'remoteAddress'>; readonly destroyed: boolean };

/** The address of a connection; HTTP/2 makes each access to a property of its socket slow. */
const addressOf = memoize((connection: ClientConnection) => {
  if (!('socket' in connection)) return plainAddress(connection.remoteAddress ?? '');
  // Reading `socket` of an ended session throws.
  return connection.destroyed ? '' : plainAddress(connection.socket.remoteAddress ?? '');
});

/** An IPv4 client of a server that listens on IPv6 has an address like `::ffff:192.0.2.1`. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
