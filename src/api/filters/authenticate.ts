import type { AuthenticationRequest, Authenticator } from '../../authn/authenticator.ts';
import { credentialHeaders } from '../../http-protocol/messages/credential-headers.ts';
import { findUser } from '../../authn/find-user.ts';
import type { UserInfo } from '../../meta/user-info.ts';
import { pathReader } from '../../authz/always-allow-paths.ts';
import { badRequest } from '../../status/status-error.ts';
import { bearerTokenOf } from '../request/bearer-token.ts';
import type { Exchange } from '../request/exchange.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import { takeProtocolToken } from '../request/protocol-token.ts';
import { removeHeaders } from '../../http-protocol/messages/header-values.ts';
import type { Filter } from './filter.ts';
import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { HttpRequest } from '../../http-protocol/messages/http-message.ts';

interface AuthenticateOptions {
  readonly metrics: Pick<RequestMetrics, 'authenticated'>;
  readonly authenticators: readonly Authenticator[];
  readonly anonymousAuth: boolean;
  readonly anonymousPaths?: readonly string[];
  readonly publicPaths?: readonly string[];
}

/**
 * Authenticates a request (spec 5.1): authenticators are called in order, the first user wins. A
 * request with a credential that no authenticator recognises is a 401, never anonymous. A request
 * without a credential is anonymous if anonymous requests are enabled for its path or it reads a
 * public path, else a 401. Headers with credentials are removed from the request.
 */
export function authenticate(options: AuthenticateOptions): Filter {
  const { authenticators, anonymousAuth, anonymousPaths, publicPaths = [], metrics } = options;
  const peerCertificates = createPeerCertificates();
  const isCredential = credentialHeaders(authenticators);
  const readsPublicPath = pathReader(publicPaths);
  const onlyPaths = anonymousPaths && new Set(anonymousPaths);
  const admitsAnonymous = ({ path, verb }: Exchange): boolean =>
    (anonymousAuth && (!onlyPaths || onlyPaths.has(path.decoded))) ||
    readsPublicPath({ resourceRequest: path.target !== undefined, verb, path: path.decoded });
  return (exchange) => {
    const { request } = exchange;
    const startMs = performance.now();
    const protocol = takeProtocolToken(request);
    const sent = bearerTokenOf(request.rawHeaders);
    const authorization = sent.kind === 'none' ? protocol : sent;
    if (authorization.kind === 'repeated') throw badRequest('a request may have only one Authorization header');
    const question: AuthenticationRequest = {
      bearerToken: authorization.kind === 'bearer' ? authorization.token : undefined,
      clientCertificate: peerCertificates.of(request),
      rawHeaders: request.rawHeaders,
      audited: exchange.audit && exchange,
      warnings: exchange.warnings,
      cancellation: exchange,
    };
    const admit = (user: UserInfo): void => {
      exchange.user = user;
      exchange.trace?.note(user.username);
      removeHeaders(request, isCredential);
      metrics.authenticated(startMs, 'success', user.username);
    };
    const refuse = (error: unknown): never => {
      endSession(exchange);
      metrics.authenticated(startMs, authorization.kind === 'bearer' ? 'error' : 'failure');
      throw error;
    };
    const anonymous = authorization.kind === 'none' && admitsAnonymous(exchange);
    try {
      const user = findUser(authenticators, question, { anonymous });
      return user instanceof Promise ? user.then(admit).catch(refuse) : admit(user);
    } catch (error) {
      return refuse(error);
    }
  };
}

/**
 * Closes the HTTP/2 session of a request that failed authentication, as kube-apiserver does. HTTP/2
 * lets a client cause much work at little cost (CVE-2023-44487); one connection for each failure
 * limits that to the rate of HTTP/1.1.
 */
function endSession(exchange: Exchange): void {
  // A closed stream has no session.
  const session = exchange.response.stream?.session;
  if (session) exchange.onEnd(() => session.close());
}

type PeerCertificate = AuthenticationRequest['clientCertificate'];

/** Returns the client certificates of open connections. */
interface PeerCertificates {
  of(request: HttpRequest): PeerCertificate;
}

/** Creates a reader of client certificates that parses a certificate once for each connection. */
function createPeerCertificates(): PeerCertificates {
  const known = new WeakMap<object, { readonly certificate: PeerCertificate }>();
  return {
    of(request) {
      const connection = 'stream' in request ? request.stream?.session : request.socket;
      if (!connection) return undefined;
      const remembered = known.get(connection);
      if (remembered) return remembered.certificate;
      const certificate = read('socket' in connection ? connection.socket : connection);
      known.set(connection, { certificate });
      return certificate;
    },
  };
}

/**
 * Reads the certificate of a connection. Undefined for a plain socket, which lacks the method, and
 * for a TLS peer without a certificate.
 */
function read(socket: object): PeerCertificate {
  // Only the one method whose presence is checked is called.
  const tls = socket as Partial<TLSSocket>;
  const certificate = tls.getPeerX509Certificate?.();
  if (!certificate) return undefined;
  return { der: certificate.raw, verified: tls.authorized === true, issuers: () => issuersOf(certificate) };
}

/**
 * Returns the chain above a peer's certificate as the peer has sent it, nearest issuer first.
 * `getPeerCertificate(true)` has no issuers after a call of `getPeerX509Certificate`.
 */
function issuersOf(certificate: X509Certificate): Buffer[] {
  const issuers: Buffer[] = [];
  for (let issuer = certificate.issuerCertificate; issuer; issuer = issuer.issuerCertificate) issuers.push(issuer.raw);
  return issuers;
}
