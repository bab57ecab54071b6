import { type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { onAbort } from '../async/abort-signals.ts';
import type { ConnectionSettings } from '../outbound/config/connection-settings.ts';
import type { Credentials } from '../outbound/config/credential-source.ts';
import { openTunnel } from '../outbound/proxy/open-tunnel.ts';
import type { ClientRequest, ClientResponse } from './client-request.ts';

/** Longer than the server's own timeout of a minute, so that the caller gets the server's error. */
const answerTimeoutMs = 70_000;
const connectTimeoutMs = 10_000;
/** A peer that is gone without a word is found by probes. */
const keepAliveMs = 15_000;

/**
 * Sends a request for another protocol over a connection of its own, and resolves with the
 * response. With status 101 it has the connection, which the signal of the request destroys.
 */
export async function openUpgrade(
  settings: ConnectionSettings,
  credentials: Credentials,
  request: ClientRequest,
): Promise<ClientResponse> {
  const { protocol, hostname, port, pathname } = new URL(settings.server);
  const isTls = protocol === 'https:';
  const target = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (isTls ? 443 : 80) };
  const tunnel = settings.proxyUrl === undefined ? undefined : await tunnelTo(settings.proxyUrl, target);
  const options: RequestOptions = {
    ...target,
    agent: false,
    method: request.method,
    path: pathname.replace(/\/$/, '') + request.path,
    headers: request.headers,
    ...(request.signal ? { signal: request.signal } : {}),
  };
  settings.beforeSend?.();
  return responseTo(startRequest(settings, credentials, { options, host: target.host, isTls, tunnel }), request.signal);
}

interface Upgrading {
  readonly options: RequestOptions;
  readonly host: string;
  readonly isTls: boolean;
  /** A connection through a proxy. */
  readonly tunnel: Socket | undefined;
}

function tunnelTo(proxyUrl: string, target: { readonly host: string; readonly port: number }): Promise<Socket> {
  return openTunnel(proxyUrl, target, AbortSignal.timeout(connectTimeoutMs));
}

function startRequest(
  { ca, serverName, insecure = false }: ConnectionSettings,
  { cert, key }: Credentials,
  { options, host, isTls, tunnel }: Upgrading,
) {
  if (!isTls) return httpRequest(tunnel ? { ...options, createConnection: () => tunnel } : options);
  const name = serverName ?? (isIP(host) ? undefined : host);
  const tls = { ca, cert, key, rejectUnauthorized: !insecure, ...(name === undefined ? {} : { servername: name }) };
  if (!tunnel) return httpsRequest({ ...options, ...tls });
  return httpsRequest({ ...options, createConnection: () => connectTls({ ...tls, host, socket: tunnel }) });
}

function responseTo(sent: ReturnType<typeof httpRequest>, signal: AbortSignal | undefined): Promise<ClientResponse> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => sent.destroy(new Error('answer ETIMEDOUT')), answerTimeoutMs);
    sent.on('error', reject);
    sent.once('close', () => clearTimeout(timer));
    sent.once('response', (response) => resolve(responseOf(response)));
    sent.once('upgrade', (response, socket, head) => {
      clearTimeout(timer);
      if (head.length > 0) socket.unshift(head);
      keepOpen(socket, signal);
      resolve({ ...responseOf(response), socket });
    });
    sent.end();
  });
}

function responseOf(response: IncomingMessage): ClientResponse {
  return {
    status: response.statusCode ?? 0,
    header: (name) => response.headers[name]?.toString(),
    bytes: () => buffer(response),
    stream: () => response,
  };
}

function keepOpen(socket: Duplex & Partial<Pick<Socket, 'setKeepAlive' | 'setNoDelay'>>, signal?: AbortSignal): void {
  socket.setKeepAlive?.(true, keepAliveMs);
  socket.setNoDelay?.(true);
  const release = onAbort(signal, () => socket.destroy());
  // An error reaches the reader of the socket; without one it must not end the process.
  socket.on('error', () => {});
  socket.once('close', release);
}
