import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { AuthenticationRequest } from '../../authn/authenticator.ts';
import type { HttpRequest } from '../../http-protocol/messages/http-message.ts';

type PeerCertificate = AuthenticationRequest['clientCertificate'];

/** Returns the client certificates of open connections. */
interface PeerCertificates {
  of(request: HttpRequest): PeerCertificate;
}

/** Creates a reader of client certificates that parses a certificate once for each connection. */
export function createPeerCertificates(): PeerCertificates {
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
