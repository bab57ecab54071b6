import type { request as requestHttp, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';

/** The response of a proxy to CONNECT, and the connection that it came over. */
export interface ConnectResponse {
  readonly status: number;
  /** The text after the status: `Bad Gateway`. */
  readonly reason: string;
  /** The tunnel to the server behind the proxy, if the status is a success. */
  readonly socket: Socket;
  /** Bytes that followed the response. */
  readonly head: Buffer;
}

/** A CONNECT request: the proxy and the server behind it. */
interface ConnectRequest {
  /** `request` of `node:http`, or of `node:https` for a proxy with TLS. */
  readonly send: typeof requestHttp;
  /** The address of the proxy, its TLS, and the headers of the request. */
  readonly options: RequestOptions;
  readonly target: TunnelTarget;
}

/** The server behind a proxy, which resolves its name. */
export interface TunnelTarget {
  /** An IP address or a name. */
  readonly host: string;
  readonly port: number;
}

/** Opens a connection through a proxy. Rejects if the signal aborts before it is open. */
export type OpenTunnel = (target: TunnelTarget, signal: AbortSignal) => Promise<Socket>;

/** Formats a host and its port as in the request line of CONNECT. */
export function authorityOf({ host, port }: TunnelTarget): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Asks a proxy for a tunnel over a new connection (RFC 9110 section 9.3.6). Resolves with the
 * response of any status; rejects with the error of the network or of the signal. `onConnected` is
 * called when the proxy is connected and its certificate verified.
 */
export function sendConnect({ send, options, target }: ConnectRequest, onConnected = ignore): Promise<ConnectResponse> {
  return new Promise((resolve, reject) => {
    const request = send({ ...options, method: 'CONNECT', path: authorityOf(target), agent: false });
    request.on('socket', (socket) => {
      socket.once('encrypted' in socket ? 'secureConnect' : 'connect', onConnected);
    });
    request.on('connect', ({ statusCode: status = 0, statusMessage: reason = '' }, socket, head) => {
      resolve({ status, reason, socket, head });
    });
    request.on('error', reject);
    request.end();
  });
}

function ignore(): void {}
