import { hash, X509Certificate } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type PeerChain, trustedUntil, trustedWithoutIssuers } from '../pki/certificate-chain.ts';
import { certificateSubject } from '../pki/certificate-subject.ts';
import { PkiError } from '../pki/pki-error.ts';
import { refusedCredential } from './refused-credential.ts';
import { StatusError } from '../status/status-error.ts';
import type { AuthenticationResult, Authenticator } from './authenticator.ts';
import type { CertificateMetrics } from './certificate-metrics.ts';
import type { UserInfo } from '../meta/user-info.ts';

/** Enough for all nodes and components of a large cluster. */
const rememberedCertificates = 4096;

const clientAuthOid = '1.3.6.1.5.5.7.3.2';
const anyUsageOid = '2.5.29.37.0';

/** The parsed certificate. */
interface ReadCertificate {
  readonly user: UserInfo | undefined;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** The certificate of a connection with its last trust decision. */
interface ConnectionCertificate extends ReadCertificate {
  /** The roots of the trust decision. */
  roots: readonly X509Certificate[] | undefined;
  trustedUntilMs: number;
}

/** The dependencies of the authenticator; `now` is for tests. */
interface ClientCertificateOptions {
  /** Returns the current roots of the client CA bundle; a new array after each change. */
  readonly roots: () => readonly X509Certificate[];
  /**
   * Trusts the handshake for certificates without issuers, until the roots change. Only where Node
   * loses the issuers and the handshake verifies against these roots alone: a certificate of
   * another CA would be taken for one of these. Default: false.
   */
  readonly withoutIssuers?: boolean;
  /** True if the UID of a user is read from the subject. Default: false. */
  readonly readsUid?: boolean;
  /** The extra field that gets the digest of the certificate; absent: no such field. */
  readonly credentialIdName?: string | undefined;
  /** Records the certificate of each request; absent: none. */
  readonly metrics?: CertificateMetrics;
  readonly now?: () => number;
}

/**
 * Authenticates client certificates (spec 5.1): the common name is the user name, organizations
 * are groups. The TLS handshake verifies the chain against the client CA. A certificate is refused
 * if it was not verified, if it is not for client authentication, if it is not valid now, or if it
 * no longer chains to the client CA. Connections outlive certificates and CAs: the validity period
 * is checked for each request, and the chain again after a change of the client CA. A certificate
 * without a common name identifies nobody.
 */
export function clientCertificateAuthenticator(options: ClientCertificateOptions): Authenticator {
  const { roots, withoutIssuers = false, metrics, now = Date.now } = options;
  const remembered = new LRUCache<string, ReadCertificate>({ max: rememberedCertificates });
  // The requests of a connection have the same buffer, so this look-up needs no hash.
  const ofConnections = new WeakMap<Buffer, ConnectionCertificate>();
  const firstRoots = roots();
  return {
    name: 'client-certificate',
    authenticate({ clientCertificate }) {
      if (!clientCertificate) return undefined;
      if (!clientCertificate.verified) throw refusedCredential('certificate is not signed by the client CA');
      const { der } = clientCertificate;
      const known = ofConnections.get(der);
      if (known) return userNow(known, clientCertificate);
      const parsed = remembered.get(digestOf(der));
      if (parsed) return userNow(connected(der, parsed), clientCertificate);
      return userNow(connected(der, learn(der)), clientCertificate);
    },
  };

  function untilOf(chain: PeerChain, current: readonly X509Certificate[], nowMs: number): number | undefined {
    const until = trustedUntil(chain, current, nowMs);
    // As long as there have been no other roots, the handshake used these.
    return until ?? (withoutIssuers && current === firstRoots ? trustedWithoutIssuers(chain, current) : undefined);
  }

  function learn(der: Buffer): ReadCertificate {
    const certificate = read(der, options);
    remembered.set(digestOf(der), certificate);
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
    metrics?.remaining(notAfterMs - nowMs);
    if (nowMs < notBeforeMs) throw refusedCredential('certificate is not yet valid');
    if (nowMs > notAfterMs) throw refusedCredential('certificate has expired');
    checkTrust(certificate, nowMs, roots(), (current) => untilOf(chain, current, nowMs));
    return user && { user };
  }
}

/** The `trustedUntilMs` of a certificate that is not trusted. */
const never = -Infinity;

/** Verifies the chain again if the roots have changed or a certificate in the chain has expired. */
function checkTrust(
  certificate: ConnectionCertificate,
  nowMs: number,
  roots: readonly X509Certificate[],
  untilOf: (roots: readonly X509Certificate[]) => number | undefined,
): void {
  const { trustedUntilMs } = certificate;
  // A refused chain is not verified again, which clients could otherwise cause with each request.
  if (certificate.roots !== roots || (nowMs > trustedUntilMs && trustedUntilMs !== never)) {
    certificate.trustedUntilMs = untilOf(roots) ?? never;
    certificate.roots = roots;
  }
  if (nowMs > certificate.trustedUntilMs)
    throw refusedCredential('certificate does not chain to the client CA any more');
}

const digestOf = (der: Buffer): string => hash('sha256', der, 'base64');

/** Smaller RSA keys are not secure; OpenSSL accepts them from 1024 bits. */
const leastRsaBits = 2048;

function checkKeySize({ publicKey }: X509Certificate): void {
  const { modulusLength = leastRsaBits } = publicKey.asymmetricKeyDetails ?? {};
  if (modulusLength < leastRsaBits) throw refusedCredential('certificate has a key that is too small');
}

function read(der: Buffer, options: UserOptions): ReadCertificate {
  try {
    const certificate = new X509Certificate(der);
    // `keyUsage` in Node is the extended key usage. Without the extension any usage is allowed (RFC
    // 5280 4.2.1.12).
    const usages: readonly string[] = certificate.keyUsage ?? [anyUsageOid];
    if (!usages.includes(clientAuthOid) && !usages.includes(anyUsageOid)) {
      throw refusedCredential('certificate is not for client authentication');
    }
    checkKeySize(certificate);
    return {
      user: userOf(der, options),
      notBeforeMs: Date.parse(certificate.validFrom),
      notAfterMs: Date.parse(certificate.validTo),
    };
  } catch (cause) {
    if (cause instanceof StatusError) throw cause;
    throw refusedCredential(cause instanceof PkiError ? cause.message : 'certificate cannot be read', cause);
  }
}

type UserOptions = Pick<ClientCertificateOptions, 'readsUid' | 'credentialIdName'>;

function userOf(der: Buffer, { readsUid = false, credentialIdName }: UserOptions): UserInfo | undefined {
  const { commonName, organizations: groups, uids } = certificateSubject(der);
  if (commonName === '') return undefined;
  const [uid = '', ...more] = readsUid ? uids : [];
  if (more.length > 0) throw refusedCredential('certificate has several UIDs');
  if (readsUid && uids.length > 0 && uid === '') throw refusedCredential('certificate has an empty UID');
  const extra = credentialIdName ? { [credentialIdName]: [`X509SHA256=${hash('sha256', der, 'hex')}`] } : {};
  return { username: commonName, uid, groups, extra };
}
