import { constants } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import type { HttpHandler } from '../api/create-http-handler.ts';
import { respondToClientError } from '../api/respond-to-client-error.ts';
import type { ApiServices } from '../api/api-services/api-services.ts';
import type { ConnectSubresource } from '../api/connect/connect-subresource.ts';
import { serveUpgrades } from '../api/connect/serve-upgrades.ts';
import { awaitContinue } from '../http-protocol/requests/expect-continue.ts';
import type { OpenRequests } from '../http-protocol/requests/open-requests.ts';
import {
  applyServerLimits,
  handshakeTimeoutMs,
  http1Settings,
  http2Settings,
} from '../http-protocol/messages/server-settings.ts';
import type { DirectServer } from '../outbound/direct-server.ts';
import { markTrustAnchors } from '../pki/trust-anchors.ts';
import { type ConnectionLimits, Connections } from './server-connections.ts';
import type { ServerOptions } from '../config/server-options.ts';
import { findByName, type SniCertificate } from '../config/flags/sni-certificates.ts';
import { preferOtherKeys, tlsSettings } from '../pki/tls-settings.ts';
import type { Siblings } from '../config/siblings.ts';
import { DirectRequest } from '../http-protocol/messages/direct-request.ts';
import { DirectResponse } from '../http-protocol/messages/direct-response.ts';
import type { Certificates } from './certificates.ts';

/** Handles a request and writes its response, as the listener of a server does. */
type DirectHandler = (request: DirectRequest, response: DirectResponse) => void;

/** The requests of clients in the same process, which need no connections. */
class DirectConnections {
  readonly #handler: DirectHandler;
  readonly #open = new Set<DirectResponse>();
  #refusing = false;

  constructor(handler: DirectHandler) {
    this.#handler = handler;
  }

  /** Handles a request through the same filters as one from the network. */
  readonly send: DirectServer = (call) => {
    if (this.#refusing) throw Object.assign(new Error('the server is closed'), { code: 'ECONNREFUSED' });
    const response = new DirectResponse();
    this.#open.add(response);
    response.once('close', () => this.#open.delete(response));
    this.#handler(new DirectRequest(call), response);
    return response;
  };

  refuseNew(): void {
    this.#refusing = true;
  }

  destroyAll(): void {
    for (const response of this.#open) response.destroy();
  }
}

/** Certificate, key and client CA of a listener, in PEM. */
interface ListenerCertificates {
  readonly cert: string;
  readonly key: string;
  /** Bundle that verifies clients and proxies; undefined: no certificate is requested. */
  readonly clientCa: string | undefined;
  /** Certificates for clients that connect under other names. */
  readonly sni?: readonly SniCertificate[];
}

/** The options of a TLS listener. */
interface ListenOptions {
  readonly bindAddress: string;
  readonly port: number;
  readonly certificates: ListenerCertificates;
  readonly tls: TlsOptions;
  readonly limits: ConnectionLimits;
  /** Tracks the requests that the handler opens. */
  readonly requests: OpenRequests;
  readonly connects: readonly ConnectSubresource[];
  /** The versions that other servers serve. */
  readonly services?: ApiServices;
  /** The other processes that serve the port. */
  readonly siblings?: Siblings | undefined;
  readonly handler: HttpHandler;
  /** Called for each handshake that fails. */
  readonly onHandshakeError?: () => void;
}

/** HTTP/1.1 alone, as in a handshake (RFC 7301 section 3.1). */
const http1Alpn = Buffer.from('\x08http/1.1');

/** The settings of TLS and HTTP/2. */
type TlsOptions = Pick<
  ServerOptions,
  | 'tlsMinVersion'
  | 'tlsCipherSuites'
  | 'tlsCurves'
  | 'http2MaxStreamsPerConnection'
  | 'disableHttp2'
  | 'permitPortSharing'
>;

/** An open listener. */
interface Listener {
  readonly port: number;
  /** Takes the requests of clients in this process. */
  readonly direct: DirectServer;
  /** Uses other certificates for new handshakes. Throws if they are unusable. */
  useCertificates(certificates: ListenerCertificates): void;
  /**
   * Lets clients move to the other processes of the port while this one still serves: each
   * connection ends with its next response, or when its client has seen a GOAWAY. Resolves when no
   * more requests can come, at most after `timeoutMs`.
   */
  handOver(timeoutMs: number): Promise<void>;
  /** Waits, while listening, until no request is in flight; at most `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
  /**
   * Stops listening, refuses new connections and streams, waits until no request is in flight,
   * and destroys all connections. Takes at most `drainTimeoutMs`, even if clients do not cooperate.
   */
  close(drainTimeoutMs: number): Promise<void>;
}

/**
 * Listens for HTTP/2 and HTTP/1.1 on one port, selected by ALPN. A client certificate is
 * requested but not required; the authenticators decide on requests without one. Session tickets
 * are off, so that no session outlives the trust in its certificate.
 */
async function listen(options: ListenOptions): Promise<Listener> {
  const { certificates, tls, limits, requests } = options;
  const settings = tlsSettings(tls.tlsMinVersion, tls.tlsCipherSuites, tls.tlsCurves);
  let contexts = namedContexts(certificates, settings);
  const server = createSecureServer({
    ...http1Settings,
    ...http2Settings,
    settings: { ...http2Settings.settings, maxConcurrentStreams: tls.http2MaxStreamsPerConnection },
    handshakeTimeout: Math.min(handshakeTimeoutMs, limits.headersTimeoutMs),
    ...secureContextOf(certificates, settings),
    // Without a context for the name the default certificate is presented.
    SNICallback: (name, use) => use(null, findByName(contexts, name)?.context),
    ...(certificates.clientCa === undefined ? {} : { requestCert: true, rejectUnauthorized: false }),
  });
  applyServerLimits(server, limits);
  // Node always offers HTTP/2 for this kind of server; handshakes read the property.
  if (tls.disableHttp2) Object.assign(server, { ALPNProtocols: http1Alpn });

  const connections = new Connections(server, requests, limits);
  // A failed handshake or broken socket affects one client only.
  server.on('tlsClientError', (_error, socket) => {
    options.onHandshakeError?.();
    socket.destroy();
  });
  server.on('sessionError', () => {});
  serveRequests(server, options);
  const direct = new DirectConnections(options.handler);

  const { siblings, bindAddress, port } = options;
  const serve = (connection: Socket): void => {
    // Node does so only for connections that the server itself accepts.
    connection.setNoDelay(http1Settings.noDelay);
    connection.setKeepAlive(http1Settings.keepAlive, http1Settings.keepAliveInitialDelay);
    server.emit('connection', connection);
  };

  return {
    port: siblings
      ? await siblings.listen({ address: bindAddress, port, limits }, serve)
      : await opened(server, { host: bindAddress, port, reusePort: tls.permitPortSharing }),
    direct: direct.send,
    useCertificates: (renewed) => {
      const named = namedContexts(renewed, settings);
      server.setSecureContext(secureContextOf(renewed, settings));
      contexts = named;
    },
    handOver: (timeoutMs) => connections.handOver(timeoutMs),
    drain: (timeoutMs) => atMost(timeoutMs, requests.drain()),
    close: async (drainTimeoutMs) => {
      const endMs = performance.now() + drainTimeoutMs;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      connections.refuseNew();
      direct.refuseNew();
      await atMost(drainTimeoutMs, requests.drain());
      await connections.sessionsClosed(Math.min(flushMs, endMs - performance.now()));
      connections.destroyAll();
      direct.destroyAll();
      await closed;
    },
  };
}

/** The events of a server of node:http, or of node:http2 that also serves HTTP/1.1. */
type RequestSource = Parameters<typeof serveUpgrades>[0] & {
  on(event: 'clientError', listener: typeof respondToClientError): unknown;
  on(event: 'request' | 'checkContinue', listener: NetworkHandler): unknown;
};

type NetworkHandler = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => void;

function serveRequests(
  server: RequestSource,
  { handler, requests, connects, services }: Pick<ListenOptions, 'handler' | 'requests' | 'connects' | 'services'>,
): void {
  server.on('clientError', respondToClientError);
  server.on('request', handler);
  serveUpgrades(server, { handler, requests, connects, services });
  server.on('checkContinue', (request, response) => {
    awaitContinue(request, response);
    handler(request, response);
  });
}

/** The address of a listener; `reusePort` sets SO_REUSEPORT, which Node has since 23.1. */
interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly reusePort: boolean;
}

async function opened(server: Server, address: ListenAddress): Promise<number> {
  await once(server.listen(address), 'listening');
  // The address is a string only for pipes.
  return (server.address() as AddressInfo).port;
}

function secureContextOf(
  { cert, key, clientCa, sni = [] }: ListenerCertificates,
  settings: SecureContextOptions,
): SecureContextOptions {
  const secureOptions = constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION;
  const authority = clientCa === undefined ? {} : { ca: markTrustAnchors(clientCa) };
  const preferences = sni.length > 0 ? preferOtherKeys(cert, settings) : settings;
  return { ...preferences, cert, key, secureOptions, ...authority };
}

/** A certificate that is ready for handshakes, with its names. */
interface NamedContext {
  readonly names: readonly string[];
  readonly context: SecureContext;
}

function namedContexts(
  { sni = [], clientCa }: ListenerCertificates,
  settings: SecureContextOptions,
): readonly NamedContext[] {
  return sni.map(({ cert, key, names }) => ({
    names,
    context: createSecureContext(secureContextOf({ cert, key, clientCa }, settings)),
  }));
}

/** How long HTTP/2 sessions may flush their buffers after the last request. */
const flushMs = 1_000;

/** Waits for a promise, at most `timeoutMs`. */
async function atMost(timeoutMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
  await Promise.race([work, over]);
  clearTimeout(timer);
}

/**
 * Listens with the server's certificates, and with their successors when their files change.
 * Rejects if the port is in use (`EADDRINUSE`).
 */
export async function listenWithCertificates(
  certificates: Pick<Certificates, 'serving' | 'sni' | 'clientCa' | 'frontProxyCa' | 'watch'>,
  options: Omit<ListenOptions, 'certificates'>,
): Promise<Listener> {
  const { serving, sni, clientCa, frontProxyCa } = certificates;
  const trusted = (client = clientCa?.current, proxy = frontProxyCa?.current): string | undefined =>
    client === undefined ? proxy : [client, proxy].join('\n');
  const presented = () => ({ ...serving.current, sni: sni.current, clientCa: trusted() });
  const listener = await listen({ ...options, certificates: presented() });
  const present = (changed: Partial<ReturnType<typeof presented>>): void =>
    listener.useCertificates({ ...presented(), ...changed });
  serving.onChange(present);
  sni.onChange((changed) => present({ sni: changed }));
  clientCa?.onChange((changed) => present({ clientCa: trusted(changed) }));
  frontProxyCa?.onChange((changed) => present({ clientCa: trusted(clientCa?.current, changed) }));
  certificates.watch();
  return listener;
}
