import { hash, X509Certificate } from 'node:crypto';
import { type PeerChain, trustedUntil } from '../pki/certificate-chain.ts';
import { PkiError } from '../pki/pki-error.ts';
import { StatusError } from '../status/status-error.ts';
import type { AuthenticationResult, Authenticator } from './authenticator.ts';
import type { UserInfo } from '../meta/user-info.ts';

/** Enough for every node and component of a large cluster; the oldest entry goes first. */
const rememberedCertificates = 4096;

const clientAuthOid = '1.3.6.1.5.5.7.3.2';
const anyUsageOid = '2.5.29.37.0';

/** What parsing a certificate gives. */
interface ReadCertificate {
  readonly user: UserInfo | undefined;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** The certificate of a connection, and the last answer to whether it is trusted. */
interface ConnectionCertificate extends ReadCertificate {
  /** The authorities that the answer is about. */
  roots: readonly X509Certificate[] | undefined;
  trustedUntilMs: number;
}

/** What the authenticator depends on; `now` is for tests. */
interface ClientCertificateOptions {
  /** The roots of the client CA bundle as it is now; another array when the bundle has changed. */
  readonly roots: () => readonly X509Certificate[];
  readonly now?: () => number;
}

/**
 * Client certificates (spec 5.1): user name from the common name, groups from the organizations. The TLS layer has
 * verified the chain against the client CA and says so; a certificate that is not verified, not for client
 * authentication, not valid now, or that no longer chains to the client CA is refused. Connections outlive certificates and
 * authorities, so the times are checked for every request, and the chain again when the client CA has changed. A
 * certificate without a common name names nobody.
 */
export function clientCertificateAuthenticator({ roots, now = Date.now }: ClientCertificateOptions): Authenticator {
  const remembered = new Map<string, ReadCertificate>();
  // Requests of one connection bring the same bytes, and a look-up by them costs no hash.
  const ofConnections = new WeakMap<Buffer, ConnectionCertificate>();
  return {
    name: 'client-certificate',
    authenticate({ clientCertificate }) {
      if (!clientCertificate) return undefined;
      if (!clientCertificate.verified) throw refused('certificate is not signed by the client CA');
      const { der } = clientCertificate;
      const known = ofConnections.get(der);
      if (known) return userNow(known, clientCertificate);
      const parsed = remembered.get(digestOf(der));
      if (parsed) return userNow(connected(der, parsed), clientCertificate);
      return learn(der).then((learned) => userNow(connected(der, learned), clientCertificate));
    },
  };

  async function learn(der: Buffer): Promise<ReadCertificate> {
    const certificate = await read(der);
    remember(remembered, der, certificate);
    return certificate;
  }

  function connected(der: Buffer, certificate: ReadCertificate): ConnectionCertificate {
    const connection = { ...certificate, roots: undefined, trustedUntilMs: 0 };
    ofConnections.set(der, connection);
    return connection;
  }

  function userNow(certificate: ConnectionCertificate, chain: PeerChain): AuthenticationResult {
    const nowMs = now();
    const { user, notBeforeMs, notAfterMs } = certificate;
    if (nowMs < notBeforeMs) throw refused('certificate is not yet valid');
    if (nowMs > notAfterMs) throw refused('certificate has expired');
    checkTrust(certificate, chain, roots(), nowMs);
    return user && { user };
  }
}

/** The end of trust in a certificate that is not trusted. */
const never = -Infinity;

/** Follows the chain where the authorities have changed since the last answer, or a certificate in it has expired. */
function checkTrust(
  certificate: ConnectionCertificate,
  chain: PeerChain,
  roots: readonly X509Certificate[],
  nowMs: number,
): void {
  const { trustedUntilMs } = certificate;
  // A chain that was refused is not followed again: its bearer could ask for that with every request.
  if (certificate.roots !== roots || (nowMs > trustedUntilMs && trustedUntilMs !== never)) {
    certificate.trustedUntilMs = trustedUntil(chain, roots, nowMs) ?? never;
    certificate.roots = roots;
  }
  if (nowMs > certificate.trustedUntilMs) throw refused('certificate does not chain to the client CA any more');
}

const digestOf = (der: Buffer): string => hash('sha256', der, 'base64');

function remember(remembered: Map<string, ReadCertificate>, der: Buffer, certificate: ReadCertificate): void {
  const [oldest] = remembered.keys();
  if (oldest !== undefined && remembered.size >= rememberedCertificates) remembered.delete(oldest);
  remembered.set(digestOf(der), certificate);
}

/** What takes ASN.1 apart is loaded with the first certificate: a server whose clients have tokens does without. */
async function read(der: Buffer): Promise<ReadCertificate> {
  const { certificateSubject } = await import('../pki/certificate-subject.ts');
  try {
    const certificate = new X509Certificate(der);
    // Node's `keyUsage` is the extended one. A certificate without the extension may be used for anything (RFC 5280 4.2.1.12).
    const usages: readonly string[] = certificate.keyUsage ?? [anyUsageOid];
    if (!usages.includes(clientAuthOid) && !usages.includes(anyUsageOid)) {
      throw refused('certificate is not for client authentication');
    }
    const { commonName, organizations } = certificateSubject(der);
    return {
      user: commonName ? { username: commonName, uid: '', groups: organizations, extra: {} } : undefined,
      notBeforeMs: Date.parse(certificate.validFrom),
      notAfterMs: Date.parse(certificate.validTo),
    };
  } catch (cause) {
    if (cause instanceof StatusError) throw cause;
    throw refused(cause instanceof PkiError ? cause.message : 'certificate cannot be read', cause);
  }
}

/** The client learns that it is unauthorized and no more; the reason is in `cause`, for the log. */
function refused(why: string, cause?: unknown): StatusError {
  return new StatusError('Unauthorized', 'Unauthorized', { cause: new Error(why, { cause }) });
}
