import type { TLSSocket } from 'node:tls';
import type { AuthenticationRequest } from '../../authn/authenticator.ts';
import type { HttpRequest } from './http-message.ts';

type PeerCertificate = AuthenticationRequest['clientCertificate'];

/** The client certificates of open connections, each read once. */
interface PeerCertificates {
  of(request: HttpRequest): PeerCertificate;
}

/** A reader of client certificates that remembers them as long as their connections live. */
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

/** A plain socket has no such method; a TLS peer without a certificate gives none. */
function read(socket: object): PeerCertificate {
  // Narrowed by the presence of the one method that is called.
  const tls = socket as Partial<TLSSocket>;
  const certificate = tls.getPeerX509Certificate?.();
  if (!certificate) return undefined;
  return { der: certificate.raw, verified: tls.authorized === true, issuers: () => issuersOf(tls) };
}

/** The chain above a peer's certificate, nearest first; it ends with a root, which names itself as its issuer. */
function issuersOf(tls: Partial<TLSSocket>): Buffer[] {
  const issuers: Buffer[] = [];
  let certificate = tls.getPeerCertificate?.(true);
  while (certificate?.issuerCertificate && certificate.issuerCertificate !== certificate) {
    certificate = certificate.issuerCertificate;
    issuers.push(certificate.raw);
  }
  return issuers;
}
