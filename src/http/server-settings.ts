import type { ServerOptions as HttpServerOptions } from 'node:http';
import type { SecureServerOptions } from 'node:http2';

/** Headers must have come by then, so that a connection cannot be held open with a byte now and then. */
export const headersTimeoutMs = 32_000;

/** A whole request, body included, must have come by then: longer than the deadline of a request, but finite. */
const receiveTimeoutMs = 90_000;

/** How long an idle connection is kept for the next request. Clients keep theirs for 90 s; the shorter one decides. */
export const keepAliveTimeoutMs = 90_000;

/** Longer selectors and continue tokens than fit here are refused anyway; Node's own 16 KiB are too few for them. */
const maxHeaderBytes = 64 * 1024;

/** More header lines than any client sends. */
export const maxHeadersCount = 500;

/** A TLS handshake that takes longer is given up; so is one that takes longer than headers may. */
export const handshakeTimeoutMs = 10_000;

/** How often the times of HTTP/1.1 connections are checked; each may be exceeded by this much. */
const checkingIntervalMs = 5_000;

/** Open connections. Each idle one costs some 30 KB. */
export const maxConnections = 20_000;

/**
 * Open connections of one client: a share of all, so that nobody locks out the others. Not a small one, because a proxy in
 * front of the server is one client for all that are behind it.
 */
export const maxConnectionsPerAddress = maxConnections / 2;

/** After this much silence TCP asks a peer whether it is still there. */
const keepAliveInitialDelayMs = 30_000;

/** Concurrent requests on one HTTP/2 connection, as kube-apiserver has it: an informer of every resource, with room. */
const maxConcurrentStreams = 100;

/** Limits of an HTTP/1.1 server; the insecure parser is never allowed. */
export const http1Settings = Object.freeze({
  headersTimeout: headersTimeoutMs,
  requestTimeout: receiveTimeoutMs,
  keepAliveTimeout: keepAliveTimeoutMs,
  connectionsCheckingInterval: checkingIntervalMs,
  maxHeaderSize: maxHeaderBytes,
  insecureHTTPParser: false,
  requireHostHeader: true,
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: keepAliveInitialDelayMs,
}) satisfies HttpServerOptions;

/**
 * Limits of an HTTP/2 server that also speaks HTTP/1.1 (`allowHTTP1`). Node passes the HTTP/1.1 options on to the
 * parser of those connections; `maxHeadersCount`, `maxConnections`, and the timeouts are properties of the server object and are set by
 * `applyServerLimits`.
 */
export const http2Settings = Object.freeze({
  allowHTTP1: true,
  // Frames that a well-behaved peer never sends, and settings to be acknowledged: small, against floods (CVE-2019-9512, -9515).
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
  maxSettings: 32,
  maxOutstandingPings: 10,
  // Header compression state and queued frames of one connection, in MB. Large answers wait in their own streams.
  maxSessionMemory: 64,
  // Resets that a client may send at once, and per second after that, before it gets GOAWAY (CVE-2023-44487).
  streamResetBurst: 1_000,
  streamResetRate: 100,
  maxHeaderListPairs: maxHeadersCount,
  settings: Object.freeze({
    maxConcurrentStreams,
    maxHeaderListSize: maxHeaderBytes,
    initialWindowSize: 1024 * 1024,
    enablePush: false,
  }),
}) satisfies SecureServerOptions & { readonly streamResetBurst: number; readonly streamResetRate: number };

/** The limits of a server that its options do not reach. */
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

/** How long connections may do nothing. */
interface ServerTimeouts {
  readonly headersTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

/** Sets the limits that are properties of the server object, for both protocols. To be called before it listens. */
export function applyServerLimits(server: LimitedServer, timeouts: ServerTimeouts): void {
  server.headersTimeout = timeouts.headersTimeoutMs;
  server.requestTimeout = receiveTimeoutMs;
  server.keepAliveTimeout = timeouts.idleTimeoutMs;
  // An HTTP/2 server takes neither this nor the size of headers as an option for its HTTP/1.1 connections.
  server.connectionsCheckingInterval = Math.min(checkingIntervalMs, timeouts.headersTimeoutMs / 4);
  server.maxHeadersCount = maxHeadersCount;
  server.maxHeaderSize = maxHeaderBytes;
  // Watches are silent for long; idle connections are ended by keepAliveTimeout instead.
  server.timeout = 0;
}
