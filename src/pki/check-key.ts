import { createPublicKey, type KeyObject } from 'node:crypto';
import { PkiError } from './pki-error.ts';

const curves = new Set(['prime256v1', 'secp384r1']);
const rsaBits = { least: 2048, most: 4096 };

/**
 * Refuses keys other than RSA of 2048 to 4096 bits with an odd exponent of at least 3, and EC on
 * P-256 or P-384. Throws PkiError `KeyNotAllowed`.
 */
export function checkKey(key: KeyObject): void {
  const rule = rules[key.asymmetricKeyType ?? ''];
  const fault = rule ? rule(key) : `key type ${key.asymmetricKeyType ?? 'unknown'} is not allowed`;
  if (fault) throw new PkiError('KeyNotAllowed', `${fault}; allowed are RSA 2048 to 4096 and EC P-256 or P-384`);
}

/**
 * Loads a SubjectPublicKeyInfo; OpenSSL checks that the point is on the curve. Throws PkiError
 * `KeyNotAllowed`.
 */
export function loadPublicKey(subjectPublicKeyInfo: Uint8Array): KeyObject {
  try {
    return createPublicKey({ key: Buffer.from(subjectPublicKeyInfo), type: 'spki', format: 'der' });
  } catch (cause) {
    throw new PkiError('KeyNotAllowed', 'public key cannot be read', cause);
  }
}

const rules: Readonly<Record<string, (key: KeyObject) => string>> = {
  rsa(key) {
    const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
    if (modulusLength < rsaBits.least || modulusLength > rsaBits.most) return `RSA key has ${modulusLength} bits`;
    return publicExponent < 3n || publicExponent % 2n === 0n ? 'RSA exponent is not an odd number from 3' : '';
  },
  ec(key) {
    const curve = key.asymmetricKeyDetails?.namedCurve ?? 'unknown';
    return curves.has(curve) ? '' : `EC curve ${curve} is not allowed`;
  },
};
