import type { TLSSocket } from 'node:tls';
import type { AuthenticationRequest } from '../../authn/authenticator.ts';
import type { HttpRequest } from './http-message.ts';

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
  return { der: certificate.raw, verified: tls.authorized === true, issuers: () => issuersOf(tls) };
}

/**
 * Returns the chain above a peer's certificate, nearest issuer first. It ends with the root, whose
 * issuer is itself.
 */
function issuersOf(tls: Partial<TLSSocket>): Buffer[] {
  const issuers: Buffer[] = [];
  let certificate = tls.getPeerCertificate?.(true);
  while (certificate?.issuerCertificate && certificate.issuerCertificate !== certificate) {
    certificate = certificate.issuerCertificate;
    issuers.push(certificate.raw);
  }
  return issuers;
}
