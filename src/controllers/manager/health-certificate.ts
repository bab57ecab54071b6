import { readFile } from 'node:fs/promises';
import type { SecureContextOptions } from 'node:tls';
import { loadCertificateIssuer } from '../../pki/certificate-issuer.ts';
import { encodeKey, generateKey } from '../../pki/generate-key.ts';
import { tlsSettings } from '../../pki/tls-settings.ts';
import type { ControllerManagerFlags } from './controller-manager-flags.ts';

/** The lifetime of a generated certificate, longer than any process runs. */
const lifetimeMs = 10 * 365 * 24 * 3_600_000;

/** The TLS options of the health endpoints: the certificate of the flags, or a generated one. */
export async function healthCertificate(flags: ControllerManagerFlags): Promise<SecureContextOptions> {
  const settings = tlsSettings(flags['tls-min-version'], flags['tls-cipher-suites'], flags['tls-curve-preferences']);
  const { 'tls-cert-file': certFile, 'tls-private-key-file': keyFile } = flags;
  if (certFile !== undefined && keyFile !== undefined) {
    const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
    return { ...settings, cert, key };
  }
  const { issueAuthorityCertificate, issueServingCertificate } = await loadCertificateIssuer();
  const [caKey, key] = await Promise.all([generateKey(), generateKey()]);
  const ca = await issueAuthorityCertificate(caKey, 'controller-manager-ca', new Date(Date.now() + lifetimeMs));
  const names = ['localhost', '127.0.0.1', '::1', flags['bind-address']];
  const cert = await issueServingCertificate({ certificatePem: ca, key: caKey }, key, [...new Set(names)]);
  return { ...settings, cert, key: encodeKey(key) };
}
