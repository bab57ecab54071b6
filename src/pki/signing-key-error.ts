import type { KeyObject } from 'node:crypto';

const curves: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1', 'secp521r1']);
const rsaBits = Object.freeze({ least: 2048, most: 8192 });
const allowed = `allowed are RSA ${rsaBits.least} to ${rsaBits.most}, EC P-256, P-384 or P-521, and Ed25519`;

/**
 * The reason why certificates are not issued for a key; undefined if they are. Weak keys are
 * refused, and larger ones than anybody needs, which cost time with each handshake.
 */
export function signingKeyError(key: KeyObject): string | undefined {
  const rule = rules[key.asymmetricKeyType ?? ''];
  const problem = rule ? rule(key) : `key type ${key.asymmetricKeyType ?? 'unknown'} is not allowed`;
  return problem ? `${problem}; ${allowed}` : undefined;
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
  ed25519: () => '',
};
