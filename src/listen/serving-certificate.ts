import { hostname, networkInterfaces } from 'node:os';
import type { Identifiers } from '../identifiers/identifiers.ts';
import { loadCertificateIssuer } from '../pki/certificate-issuer.ts';
import {
  ensureServingCertificates,
  hasNames,
  nearsEnd,
  type ServingCertificates,
} from '../pki/ensure-serving-certificates.ts';
import { encodeKey, generateKey } from '../pki/generate-key.ts';
import { named, readCertificates, readPrivateKey } from '../config/flags/pem-files.ts';
import type { ServerOptions } from '../config/server-options.ts';

/** Longer than any process for tests or embedding runs. */
const inMemoryLifetimeMs = 10 * 365 * 24 * 3_600_000;

/** The certificate of the listener and its CA. */
export interface ServingCertificate {
  readonly cert: string;
  readonly key: string;
  /** PEM; for a certificate from a file it is the certificate itself, which a client may trust. */
  readonly ca: string;
}

/** Addresses and names by which clients on this machine or in the cluster may reach the server. */
function servingNames(options: ServerOptions, identifiers: Identifiers): string[] {
  const everywhere = options.bindAddress === '0.0.0.0' || options.bindAddress === '::';
  const own = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map((address) => address.address.split('%')[0] ?? ''),
  );
  const service = identifiers.product;
  return [
    'localhost',
    '127.0.0.1',
    '::1',
    ...(everywhere ? [hostname(), ...own] : [options.bindAddress]),
    service,
    `${service}.default`,
    `${service}.default.svc`,
    `${service}.default.svc.cluster.local`,
  ].filter(Boolean);
}

/** A CA and a certificate in memory, for embedding and tests. */
async function inMemoryCertificate(names: readonly string[]): Promise<ServingCertificate> {
  const { issueAuthorityCertificate, issueServingCertificate } = await loadCertificateIssuer();
  const [caKey, key] = await Promise.all([generateKey(), generateKey()]);
  const ca = await issueAuthorityCertificate(caKey, 'apiserver-ca', new Date(Date.now() + inMemoryLifetimeMs));
  const cert = await issueServingCertificate({ certificatePem: ca, key: caKey }, key, names);
  return { cert, key: encodeKey(key), ca };
}

/**
 * Returns the reader of the serving certificate: from the configured files, or else created with
 * a CA of its own. A certificate created in a directory is replaced when a read finds it near its
 * expiry.
 */
export function servingCertificate(
  options: ServerOptions,
  identifiers: Identifiers,
): () => Promise<ServingCertificate> {
  const { tlsCertFile, tlsPrivateKeyFile, certDir } = options;
  if (tlsCertFile !== undefined && tlsPrivateKeyFile !== undefined) {
    return async () => {
      const cert = await readCertificates({ flag: '--tls-cert-file', file: tlsCertFile });
      const key = await readPrivateKey({ flag: '--tls-private-key-file', file: tlsPrivateKeyFile }, cert);
      return { cert, key, ca: cert };
    };
  }
  const names = servingNames(options, identifiers);
  if (certDir === undefined) {
    let made: Promise<ServingCertificate> | undefined;
    return () => (made ??= inMemoryCertificate(names));
  }
  return madeInDirectory(certDir, names);
}

/**
 * The first read creates missing files. A later read takes the certificate that another server
 * put there if it has the names of this one. It creates a new certificate near the expiry, but
 * never a new CA if the directory was emptied: clients would not trust it.
 */
function madeInDirectory(certDir: string, names: readonly string[]): () => Promise<ServingCertificate> {
  const flag = '--cert-dir';
  let files: ServingCertificates | undefined;
  let last: ServingCertificate | undefined;
  return async () => {
    files ??= await named({ flag, file: certDir }, () => ensureServingCertificates(certDir, names));
    const ca = await readCertificates({ flag, file: files.caFile });
    const cert = await readCertificates({ flag, file: files.certFile });
    const key = await readPrivateKey({ flag, file: files.keyFile }, cert);
    // Servers that share a directory may listen on different addresses.
    if (!last || hasNames(cert, names)) last = { cert, key, ca };
    if (!nearsEnd(last.cert)) return last;
    const { certPem, keyPem, caPem } = await ensureServingCertificates(certDir, names);
    last = { cert: certPem, key: keyPem, ca: caPem };
    return last;
  };
}
