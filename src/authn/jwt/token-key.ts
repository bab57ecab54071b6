import { createHash, createPublicKey, type KeyObject } from 'node:crypto';

/** A public key that verifies tokens, with the only algorithms that it may be used with. */
export interface VerificationKey {
  /** The `kid` of its tokens: base64url of the SHA-256 of its SubjectPublicKeyInfo. */
  readonly id: string;
  readonly publicKey: KeyObject;
  /** The first one is the algorithm of new tokens. */
  readonly algorithms: readonly [string, ...string[]];
}

/** A private key that signs tokens. */
export interface SigningKey extends VerificationKey {
  readonly privateKey: KeyObject;
}

/** Smaller keys are not secure (RFC 7518 3.3). */
const leastRsaBits = 2048;

const curveAlgorithms: ReadonlyMap<string, string> = new Map([
  ['prime256v1', 'ES256'],
  ['secp384r1', 'ES384'],
  ['secp521r1', 'ES512'],
]);

/**
 * The verification key of a public or private key. Throws an Error for other keys than RSA with at
 * least 2048 bits and EC on P-256, P-384 or P-521.
 */
export function verificationKeyOf(key: KeyObject): VerificationKey {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const id = createHash('sha256').update(der).digest('base64url');
  return { id, publicKey, algorithms: algorithmsOf(publicKey) };
}

/** The signing key of a private key. Throws as `verificationKeyOf` does. */
export function signingKeyOf(privateKey: KeyObject): SigningKey {
  return { ...verificationKeyOf(privateKey), privateKey };
}

function algorithmsOf({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): readonly [string, ...string[]] {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails;
  if (asymmetricKeyType === 'rsa') {
    if (modulusLength < leastRsaBits) throw new Error(`an RSA key needs at least ${leastRsaBits} bits`);
    return ['RS256', 'RS384', 'RS512'];
  }
  const algorithm = asymmetricKeyType === 'ec' ? curveAlgorithms.get(namedCurve) : undefined;
  if (!algorithm) throw new Error('a key must be RSA, or EC on P-256, P-384 or P-521');
  return [algorithm];
}
