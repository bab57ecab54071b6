import type { ServerOptions as HttpServerOptions } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse, SecureServerOptions } from 'node:http2';
import { Http2Request } from './http2-request.ts';
import { Http2Response } from './http2-response.ts';

/**
 * The time limit for receiving the headers of a request, so that a client cannot keep a connection
 * open by sending single bytes.
 */
export const headersTimeoutMs = 32_000;

/**
 * The time limit for receiving a whole request with its body over HTTP/1.1: longer than the default
 * deadline of a request. Bodies that are passed on have none (`request/long-body.ts`).
 */
export const receiveTimeoutMs = 90_000;

/**
 * The time after which an idle connection is closed. Clients keep theirs for 90 s; the shorter time
 * wins.
 */
export const keepAliveTimeoutMs = 90_000;

/**
 * Selectors and continue tokens longer than this are refused anyway. Node's default of 16 KiB is
 * too small for them.
 */
const maxHeaderBytes = 64 * 1024;

/** The maximum number of header lines; more than any client sends. */
export const maxHeadersCount = 500;

/** The time limit of a TLS handshake; the shorter of this and the time limit of headers applies. */
export const handshakeTimeoutMs = 10_000;

/**
 * The interval at which timeouts of HTTP/1.1 connections are checked. Each timeout may be exceeded
 * by this time.
 */
const checkingIntervalMs = 5_000;

/** The idle time after which TCP keep-alive probes start. */
const keepAliveInitialDelayMs = 30_000;

/**
 * The maximum number of concurrent requests on one HTTP/2 connection, as in kube-apiserver: enough
 * for an informer of every resource.
 */
export const maxConcurrentStreams = 100;

/** The limits of an HTTP/1.1 server. The insecure parser is never enabled. */
export const http1Settings = Object.freeze({
  headersTimeout: headersTimeoutMs,
  requestTimeout: receiveTimeoutMs,
  keepAliveTimeout: keepAliveTimeoutMs,
  connectionsCheckingInterval: checkingIntervalMs,
  maxHeaderSize: maxHeaderBytes,
  insecureHTTPParser: false,
  // Node would answer without a Status; `checkHeaders` refuses requests without a host.
  requireHostHeader: false,
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: keepAliveInitialDelayMs,
}) satisfies HttpServerOptions;

/**
 * The limits of an HTTP/2 server that also serves HTTP/1.1 (`allowHTTP1`). Node passes the HTTP/1.1
 * options on to the parser of those connections. `maxHeadersCount`, `maxConnections` and the
 * timeouts are properties of the server object, set by `applyServerLimits`.
 */
export const http2Settings = Object.freeze({
  allowHTTP1: true,
  // Node calls these constructors with the arguments of its own, and uses nothing of their results
  // but the response to an unknown expectation or a CONNECT.
  Http2ServerRequest: Http2Request as unknown as typeof Http2ServerRequest,
  Http2ServerResponse: Http2Response as unknown as typeof Http2ServerResponse,
  // Small limits for frames that a well-behaved peer never sends, and for unacknowledged settings
  // and pings, against floods (CVE-2019-9512, CVE-2019-9515).
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
  maxSettings: 32,
  maxOutstandingPings: 10,
  // The memory limit of one connection in MB, for header compression and queued frames. Large
  // responses are queued in their streams.
  maxSessionMemory: 64,
  // How many streams a client may reset at once, and per second after that, before it gets GOAWAY
  // (CVE-2023-44487).
  streamResetBurst: 1_000,
  streamResetRate: 100,
  maxHeaderListPairs: maxHeadersCount,
  settings: Object.freeze({
    maxHeaderListSize: maxHeaderBytes,
    initialWindowSize: 1024 * 1024,
    enablePush: false,
  }),
}) satisfies SecureServerOptions & { readonly streamResetBurst: number; readonly streamResetRate: number };

/** The limits of a server that are properties instead of options. */
interface LimitedServer {
  headersTimeout?: number;
  requestTimeout?: number;
  keepAliveTimeout?: number;
  connectionsCheckingInterval?: number;
  maxHeadersCount?: number | null;
  maxHeaderSize?: number;
  readonly maxConnections: number;
  timeout?: number;
}

/** The timeouts of connections. */
interface ServerTimeouts {
  readonly headersTimeoutMs: number;
  readonly receiveTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

/**
 * Sets the limits that are properties of the server object, for both protocols. To be called before
 * the server listens.
 */
export function applyServerLimits(server: LimitedServer, timeouts: ServerTimeouts): void {
  server.headersTimeout = timeouts.headersTimeoutMs;
  server.requestTimeout = timeouts.receiveTimeoutMs;
  server.keepAliveTimeout = timeouts.idleTimeoutMs;
  // An HTTP/2 server accepts neither this nor the maximum header size as an option for its HTTP/1.1
  // connections.
  server.connectionsCheckingInterval = Math.min(checkingIntervalMs, timeouts.headersTimeoutMs / 4);
  server.maxHeadersCount = maxHeadersCount;
  server.maxHeaderSize = maxHeaderBytes;
  // Watches can be silent for a long time. Idle connections are closed by keepAliveTimeout instead.
  server.timeout = 0;
}
