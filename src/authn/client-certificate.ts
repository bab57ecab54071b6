import { hash, X509Certificate } from 'node:crypto';
import { PkiError } from '../pki/pki-error.ts';
import { StatusError } from '../status/status-error.ts';
import type { AuthenticationResult, Authenticator } from './authenticator.ts';
import type { UserInfo } from './user-info.ts';

/** Enough for every node and component of a large cluster; the oldest entry goes first. */
const rememberedCertificates = 4096;

const clientAuthOid = '1.3.6.1.5.5.7.3.2';
const anyUsageOid = '2.5.29.37.0';

/** What parsing a certificate gives; the dates are checked for every request, for connections outlive certificates. */
interface ReadCertificate {
  readonly user: UserInfo | undefined;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/**
 * Client certificates (spec 5.1): user name from the common name, groups from the organizations. The TLS layer has
 * verified the chain against the client CA alone and says so; a certificate that is not verified, not valid now, or
 * not for client authentication is refused. One without a common name names nobody. `now` is for tests.
 */
export function clientCertificateAuthenticator(now: () => number = Date.now): Authenticator {
  const remembered = new Map<string, ReadCertificate>();
  // Requests of one connection bring the same bytes, and a look-up by them costs no hash.
  const ofConnections = new WeakMap<Buffer, ReadCertificate>();
  return {
    name: 'client-certificate',
    authenticate({ clientCertificate }) {
      if (!clientCertificate) return undefined;
      if (!clientCertificate.verified) throw refused('certificate is not signed by the client CA');
      const { der } = clientCertificate;
      const known = ofConnections.get(der) ?? remembered.get(digestOf(der));
      if (!known) return learn(der).then((certificate) => userNow(certificate, now()));
      ofConnections.set(der, known);
      return userNow(known, now());
    },
  };

  async function learn(der: Buffer): Promise<ReadCertificate> {
    const certificate = await read(der);
    ofConnections.set(der, certificate);
    remember(remembered, der, certificate);
    return certificate;
  }
}

function userNow({ user, notBeforeMs, notAfterMs }: ReadCertificate, now: number): AuthenticationResult {
  if (now < notBeforeMs) throw refused('certificate is not yet valid');
  if (now > notAfterMs) throw refused('certificate has expired');
  return user && { user };
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
