import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { JsonObject } from '../../meta/json-value.ts';
import { objectsAt, stringAt } from '../../meta/read-field.ts';
import type { VerificationKey } from '../jwt/token-key.ts';

/** A provider has a handful of keys. */
const mostKeys = 100;

/** Smaller keys are not secure (RFC 7518 3.3). */
const leastRsaBits = 2048;

const curveAlgorithms: ReadonlyMap<string, string> = new Map([
  ['prime256v1', 'ES256'],
  ['secp384r1', 'ES384'],
  ['secp521r1', 'ES512'],
]);
const rsaAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];

/**
 * Reads the public keys of a JSON Web Key Set (RFC 7517) that verify signatures by one of the
 * algorithms. Keys of other kinds and uses are skipped.
 */
export function readKeySet(set: JsonObject, algorithms: readonly string[]): VerificationKey[] {
  return objectsAt(set, 'keys')
    .slice(0, mostKeys)
    .flatMap((jwk) => {
      const use = stringAt(jwk, 'use');
      const publicKey = use === '' || use === 'sig' ? publicKeyOf(jwk) : undefined;
      if (!publicKey) return [];
      const own = stringAt(jwk, 'alg');
      const [first, ...more] = algorithmsOf(publicKey).filter(
        (algorithm) => algorithms.includes(algorithm) && (own === '' || own === algorithm),
      );
      return first === undefined ? [] : [{ id: stringAt(jwk, 'kid'), publicKey, algorithms: [first, ...more] }];
    });
}

function publicKeyOf(jwk: JsonObject): KeyObject | undefined {
  const kty = stringAt(jwk, 'kty');
  if (kty !== 'RSA' && kty !== 'EC') return undefined;
  // Only public members are passed on.
  const { crv = '', n = '', e = '', x = '', y = '' } = jwk;
  const key: JsonWebKey =
    kty === 'RSA' ? { kty, n: text(n), e: text(e) } : { kty, crv: text(crv), x: text(x), y: text(y) };
  try {
    return createPublicKey({ key, format: 'jwk' });
  } catch {
    return undefined;
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function algorithmsOf({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): readonly string[] {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails;
  if (asymmetricKeyType === 'rsa') return modulusLength < leastRsaBits ? [] : rsaAlgorithms;
  const algorithm = curveAlgorithms.get(namedCurve);
  return algorithm === undefined ? [] : [algorithm];
}
