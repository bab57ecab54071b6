import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { connectError, DialError, handshakeError } from '../dial-error.ts';
import type { EgressMetrics } from './egress-metrics.ts';
import {
  authorityOf,
  type ConnectResponse,
  type OpenTunnel,
  sendConnect,
  type TunnelTarget,
} from '../proxy/send-connect.ts';

/** The TLS of a connection to a proxy, in PEM. */
export interface EgressProxyTls {
  /** The trusted CAs in place of the system's. */
  readonly ca?: string;
  readonly cert: string;
  readonly key: string;
  /** The name in the certificate of the proxy, if it is not its host. */
  readonly serverName?: string;
}

/** A proxy that opens tunnels by CONNECT, on a Unix socket or at a TCP port. */
export type EgressProxy =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number; readonly tls?: EgressProxyTls };

/**
 * Creates the function that opens connections through a proxy of an egress selection. It rejects
 * with DialError, with the messages of kube-apiserver, and reports each attempt to the metrics.
 */
export function egressTunnel(proxy: EgressProxy, metrics: EgressMetrics): OpenTunnel {
  const place = addressOf(proxy);
  const transport = 'socketPath' in proxy ? 'uds' : 'tcp';
  const send = 'host' in proxy && proxy.tls ? requestHttps : requestHttp;
  const options = requestOptions(proxy);
  return async (target, signal) => {
    const startMs = performance.now();
    let isConnected = false;
    metrics.started(transport);
    try {
      const request = { send, options: { ...options, signal }, target };
      const answer = await sendConnect(request, () => (isConnected = true)).catch((error: unknown) => {
        throw signal.aborted ? aborted(signal, place) : failureOf(error, { proxy, place, target, isConnected });
      });
      const socket = opened(answer, place, target);
      metrics.opened(transport, (performance.now() - startMs) / 1000);
      return socket;
    } catch (error) {
      metrics.failed(transport, isConnected ? 'proxy' : 'connect');
      throw error;
    }
  };
}

/** The `Host` header of kube-apiserver: proxies use the target in the request line. */
const headers = Object.freeze({ host: '127.0.0.1' });

function requestOptions(proxy: EgressProxy) {
  if ('socketPath' in proxy) return { socketPath: proxy.socketPath, headers };
  const { host, port, tls } = proxy;
  if (!tls) return { host, port, headers };
  const { ca, cert, key, serverName = isIP(host) === 0 ? host : '' } = tls;
  return { host, port, headers, ca, cert, key, servername: serverName, minVersion: 'TLSv1.2' } as const;
}

/** The address of a proxy as messages name it. */
function addressOf(proxy: EgressProxy): string {
  return 'socketPath' in proxy ? proxy.socketPath : authorityOf(proxy);
}

function opened({ status, reason, socket, head }: ConnectResponse, place: string, target: TunnelTarget): Socket {
  const server = authorityOf(target);
  const problem =
    status === 200
      ? // In TLS and HTTP the client speaks first.
        head.length > 0 && `unexpected ${head.length} bytes of buffered data from CONNECT proxy "${place}"`
      : `proxy error from ${place} while dialing ${server}, code ${status}: ${`${status} ${reason}`.trim()}`;
  if (problem === false) return socket;
  socket.destroy();
  throw new DialError('unreachable', problem);
}

interface FailedDial {
  readonly proxy: EgressProxy;
  readonly place: string;
  readonly target: TunnelTarget;
  /** True if the proxy was reached. */
  readonly isConnected: boolean;
}

/** Go's texts for a connection that ended before the response. */
const endTexts: Readonly<Record<string, string>> = {
  ECONNRESET: 'EOF',
  HPE_HEADER_OVERFLOW: 'the headers are too large',
};

function failureOf(error: unknown, { proxy, place, target, isConnected }: FailedDial): DialError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = error instanceof Error ? error.message : String(error);
  if (isConnected) {
    const why = endTexts[code] ?? message;
    const text = `reading HTTP response from CONNECT to ${authorityOf(target)} via proxy ${place} failed: ${why}`;
    return new DialError('unreachable', text, { cause: error });
  }
  if ('socketPath' in proxy) {
    const text = `dial unix ${place}: ${socketErrors[code] ?? message}`;
    return new DialError('unreachable', text, { cause: error });
  }
  const isNetwork = error instanceof AggregateError || (error instanceof Error && 'syscall' in error);
  return isNetwork ? connectError(place, error) : handshakeError(error);
}

const socketErrors: Readonly<Record<string, string>> = {
  ENOENT: 'connect: no such file or directory',
  ECONNREFUSED: 'connect: connection refused',
  EACCES: 'connect: permission denied',
};

function aborted({ reason }: AbortSignal, place: string): DialError {
  const isTimeout = reason instanceof DOMException && reason.name === 'TimeoutError';
  if (isTimeout) return new DialError('unreachable', `dial tcp ${place}: i/o timeout`, { cause: reason });
  return new DialError('cancelled', 'context canceled', { cause: reason });
}
