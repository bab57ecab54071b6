import { createPublicKey, type KeyObject } from 'node:crypto';
import { PkiError } from './pki-error.ts';

const curves: ReadonlySet<string> = new Set(['secp224r1', 'prime256v1', 'secp384r1', 'secp521r1']);

/**
 * Loads a SubjectPublicKeyInfo of RSA, of EC on the curves P-224 to P-521, or of Ed25519. OpenSSL
 * checks that the point is on the curve. Throws PkiError `KeyNotAllowed`.
 */
export function loadPublicKey(subjectPublicKeyInfo: Uint8Array): KeyObject {
  const key = load(subjectPublicKeyInfo);
  const rule = rules[key.asymmetricKeyType ?? ''];
  const fault = rule ? rule(key) : `key type ${key.asymmetricKeyType ?? 'unknown'} is not supported`;
  if (fault) throw new PkiError('KeyNotAllowed', fault);
  return key;
}

function load(subjectPublicKeyInfo: Uint8Array): KeyObject {
  try {
    return createPublicKey({ key: Buffer.from(subjectPublicKeyInfo), type: 'spki', format: 'der' });
  } catch (cause) {
    throw new PkiError('KeyNotAllowed', 'public key cannot be read', cause);
  }
}

const rules: Readonly<Record<string, (key: KeyObject) => string>> = {
  rsa(key) {
    // With an exponent of 1 anybody can sign.
    return (key.asymmetricKeyDetails?.publicExponent ?? 0n) < 2n ? 'RSA exponent is too small' : '';
  },
  ec(key) {
    const curve = key.asymmetricKeyDetails?.namedCurve ?? 'unknown';
    return curves.has(curve) ? '' : `EC curve ${curve} is not supported`;
  },
  ed25519: () => '',
};
