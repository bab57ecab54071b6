import { type Socket, connect, isIP } from 'node:net';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { once } from 'node:events';
import { authorityOf, sendConnect, type TunnelTarget } from './send-connect.ts';

type ReadBytes = (count: number) => Promise<Buffer>;

const version = 5;
const methods = Object.freeze({ none: 0, password: 2 });
const passwordVersion = 1;
const connectCommand = 1;
const addressTypes = Object.freeze({ ipv4: 1, name: 3, ipv6: 4 });

/** The bytes of an address in a reply by its type; a name is preceded by its length. */
const addressBytes: ReadonlyMap<number, number> = new Map([
  [addressTypes.ipv4, 4],
  [addressTypes.ipv6, 16],
]);

/** The codes of replies (RFC 1928 section 6). */
const failures: Readonly<Record<number, string>> = {
  1: 'general failure',
  2: 'connection not allowed',
  3: 'network unreachable',
  4: 'host unreachable',
  5: 'connection refused',
  6: 'TTL expired',
  7: 'command not supported',
  8: 'address type not supported',
};

/** Asks a SOCKS proxy of version 5 for a connection. */
export async function connectThroughSocks(
  proxy: ProxyAddress,
  target: TunnelTarget,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = connect({ host: proxy.host, port: proxy.port, noDelay: true });
  try {
    await once(socket, 'connect', { signal });
    const read = byteReader(socket, signal);
    await authenticate(socket, read, proxy);
    socket.write(Buffer.from([version, connectCommand, 0, ...addressOf(target.host), ...shortOf(target.port)]));
    await readReply(read);
    return socket;
  } catch (error) {
    socket.on('error', ignore).destroy();
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`proxy ${proxy.host}:${proxy.port}: ${why}`, { cause: error });
  }
}

async function authenticate(socket: Socket, read: ReadBytes, { username, password }: ProxyAddress): Promise<void> {
  const offered = username ? [methods.none, methods.password] : [methods.none];
  socket.write(Buffer.from([version, offered.length, ...offered]));
  const [, method = 0xff] = await read(2);
  if (method === methods.none) return;
  if (method !== methods.password || !username) throw new Error('no authentication method is accepted');
  socket.write(Buffer.from([passwordVersion, ...lengthAndText(username), ...lengthAndText(password)]));
  const [, status] = await read(2);
  if (status !== 0) throw new Error('authentication failed');
}

async function readReply(read: ReadBytes): Promise<void> {
  const [, code = 0, , type = 0] = await read(4);
  if (code !== 0) throw new Error(failures[code] ?? `failed with code ${code}`);
  const fixed = addressBytes.get(type);
  const length = fixed ?? (await read(1))[0] ?? 0;
  // The address and the port from which the proxy connects.
  await read(length + 2);
}

/** A name is looked up by the proxy. */
function addressOf(host: string): readonly number[] {
  const family = isIP(host);
  if (family === 4) return [addressTypes.ipv4, ...host.split('.').map(Number)];
  if (family === 6) return [addressTypes.ipv6, ...ipv6Bytes(host)];
  return [addressTypes.name, ...lengthAndText(host)];
}

/** The groups of an IPv6 address; `::` stands for the zeros that are missing. */
function ipv6Bytes(host: string): readonly number[] {
  const normal = new URL(`http://[${host}]`).hostname.slice(1, -1);
  const [head = [], tail] = normal.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: tail ? 8 - head.length - tail.length : 0 }, () => '0');
  return [...head, ...zeros, ...(tail ?? [])].flatMap((group) => shortOf(Number.parseInt(group, 16)));
}

function shortOf(value: number): readonly [number, number] {
  return [value >> 8, value & 0xff];
}

function lengthAndText(text: string): readonly number[] {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw new Error('a name, user or password is longer than 255 bytes');
  return [bytes.length, ...bytes];
}

/** Returns a function that reads that number of bytes, and none of the following bytes. */
function byteReader(socket: Socket, signal: AbortSignal): ReadBytes {
  const closed = rejectAtEnd(socket, signal);
  closed.catch(ignore);
  return async (count) => {
    for (;;) {
      const bytes: unknown = socket.read(count);
      if (Buffer.isBuffer(bytes)) return bytes;
      await Promise.race([once(socket, 'readable', { signal }), closed]);
    }
  };
}

async function rejectAtEnd(socket: Socket, signal: AbortSignal): Promise<never> {
  await once(socket, 'close', { signal });
  throw new Error('the proxy closed the connection');
}

function ignore(): void {}

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'socks5:': 1080 };

/**
 * Opens a connection to a server through a proxy: by CONNECT (RFC 9110 section 9.3.6) for `http`
 * and `https`, by RFC 1928 for `socks5`. Rejects if the signal aborts before it is open.
 */
export function openTunnel(proxyUrl: string, target: TunnelTarget, signal: AbortSignal): Promise<Socket> {
  const { protocol, hostname, port, username, password } = new URL(proxyUrl);
  const proxy: ProxyAddress = {
    protocol,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (defaultPorts[protocol] ?? 0),
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
  return protocol === 'socks5:'
    ? connectThroughSocks(proxy, target, signal)
    : connectThroughHttp(proxy, target, signal);
}

/** Asks an HTTP proxy for a tunnel. */
async function connectThroughHttp(proxy: ProxyAddress, target: TunnelTarget, signal: AbortSignal): Promise<Socket> {
  const { protocol, host, port, username, password } = proxy;
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  const headers = { host: authorityOf(target), ...(username ? { 'proxy-authorization': `Basic ${basic}` } : {}) };
  const send = protocol === 'https:' ? requestHttps : requestHttp;
  const request = { send, options: { host, port, headers, signal }, target };
  const { status, socket, head } = await sendConnect(request).catch((error: Error) => {
    throw new Error(`proxy ${host}:${port}: ${error.message}`, { cause: error });
  });
  if (status < 200 || status > 299) {
    socket.destroy();
    throw new Error(`proxy ${host}:${port}: CONNECT was answered with ${status}`);
  }
  if (head.length > 0) socket.unshift(head);
  return socket;
}

/** The parts of the URL of a proxy. */
export interface ProxyAddress {
  readonly protocol: string;
  /** An IP address or a name. */
  readonly host: string;
  readonly port: number;
  /** '' for a proxy without authentication. */
  readonly username: string;
  readonly password: string;
}
