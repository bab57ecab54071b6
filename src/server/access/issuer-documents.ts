import type { VerificationKey } from '../../authn/jwt/token-key.ts';
import type { PublishedDocument } from '../../api/http-dependencies.ts';
import { memoize } from '../../meta/memoize.ts';
import type { ServiceAccountKeys } from './service-account-keys.ts';

const configurationPath = '/.well-known/openid-configuration';
const keysPath = '/openid/v1/jwks';

const configurationOperation = {
  id: 'getServiceAccountIssuerOpenIDConfiguration',
  tag: 'WellKnown',
  description: 'Returns the configuration of the issuer of service account tokens (OpenID Connect Discovery).',
};
const keysOperation = {
  id: 'getServiceAccountIssuerOpenIDKeyset',
  tag: 'openid',
  description: 'Returns the public keys that verify service account tokens, as a JSON Web Key Set.',
};

/** As long as verifiers may use a copy, in seconds. */
const cacheControl = 'public, max-age=3600';

/** The contents of the documents. */
interface IssuerDocuments {
  readonly issuer: string;
  /** The published URL of the keys; undefined: that of this server. */
  readonly jwksUri: string | undefined;
  /** Returns address and port of this server, once it listens. */
  readonly host: () => string;
  readonly keys: () => ServiceAccountKeys;
}

/**
 * The documents with which other servers verify tokens of service accounts (OpenID Connect
 * Discovery 1.0): the configuration of the issuer and its public keys. None if the issuer is not an
 * https URL without query and fragment, which those servers would refuse.
 */
export function issuerDocuments(options: IssuerDocuments): ReadonlyMap<string, PublishedDocument> {
  const { issuer, jwksUri, host, keys } = options;
  if (!isDiscoverable(issuer)) return new Map();
  const configuration = (): object => ({
    issuer,
    jwks_uri: jwksUri ?? `https://${host()}${keysPath}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: algorithmsOf(keys().verification),
  });
  const keySet = memoize(({ verification }: ServiceAccountKeys) => ({ keys: verification.map(jwkOf) }));
  return new Map([
    [
      configurationPath,
      { contentType: 'application/json', operation: configurationOperation, cacheControl, content: configuration },
    ],
    [
      keysPath,
      {
        contentType: 'application/jwk-set+json',
        operation: keysOperation,
        cacheControl,
        content: () => keySet(keys()),
      },
    ],
  ]);
}

function isDiscoverable(issuer: string): boolean {
  if (!URL.canParse(issuer)) return false;
  const { protocol, search, hash } = new URL(issuer);
  return protocol === 'https:' && search === '' && hash === '';
}

function algorithmsOf(keys: readonly VerificationKey[]): readonly string[] {
  return [...new Set(keys.map(({ algorithms }) => algorithms[0]))].toSorted();
}

/** A public key as JWK (RFC 7517), with its members in the order of kube-apiserver. */
function jwkOf({ id, publicKey, algorithms }: VerificationKey): object {
  const { kty, crv, x, y, n, e } = publicKey.export({ format: 'jwk' });
  return { use: 'sig', kty, kid: id, crv, alg: algorithms[0], x, y, n, e };
}
