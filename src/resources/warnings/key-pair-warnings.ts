import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { Secret } from '../../gen/types/core-v1.ts';
import { type WarningRelease, withDomains } from './warning-context.ts';

/** The warning about a TLS Secret whose certificate and key do not match. */
export function keyPairWarnings({ type, data = {} }: Secret, emulated: WarningRelease): readonly string[] {
  if (type !== withDomains('{label}/tls', emulated)) return [];
  const [certificate, key] = [textOf(data['tls.crt']), textOf(data['tls.key'])];
  if (!certificate.includes('-----BEGIN')) return ['tls: failed to find any PEM data in certificate input'];
  if (!key.includes('-----BEGIN')) return ['tls: failed to find any PEM data in key input'];
  const [leaf, secret] = [readCertificate(certificate), readKey(key)];
  if (leaf === undefined) return ['x509: malformed certificate'];
  if (secret === undefined) return ['tls: failed to parse private key'];
  return leaf.checkPrivateKey(secret) ? [] : ['tls: private key does not match public key'];
}

function textOf(base64 = ''): string {
  return Buffer.from(base64, 'base64').toString('latin1');
}

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function readKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
