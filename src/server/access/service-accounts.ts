import type { Authenticator } from '../../authn/authenticator.ts';
import {
  type LegacyTokenUse,
  legacyTokenTracker,
  type TrackLegacyToken,
  tracksLegacyTokens,
} from '../../authn/service-account/legacy-token-use.ts';
import {
  type LiveObjects,
  liveSecretReader,
  readLiveAccount,
  readLiveObject,
} from '../../authn/service-account/live-object.ts';
import { serviceAccountTokenAuthenticator, type TokenUse } from '../../authn/service-account/service-account-token.ts';
import { type Identifiers, identifiersOf } from '../../identifiers/identifiers.ts';
import type { ListerOf } from '../../meta/lister.ts';
import { counterVector } from '../../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import type { SubresourceCreate } from '../../registry/definition/strategy.ts';
import { createToken, type TokenIssuer } from '../../resources/core/serviceaccounts/token.ts';
import type { AccessDependencies } from './access-dependencies.ts';
import type { PublishedDocument } from '../../api/http-dependencies.ts';
import { featuresOf } from '../../config/feature-gates.ts';
import { tokenUseRecorder } from './record-token-use.ts';
import { openServiceAccountKeys, type ServiceAccountKeys } from './service-account-keys.ts';
import type { ServerOptions } from '../../config/server-options.ts';
import type { VerificationKey } from '../../authn/jwt/token-key.ts';
import { memoize } from '../../meta/memoize.ts';

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

/** The header that lets verifiers use a copy for that many seconds. */
const cacheControl = 'public, max-age=3600';

/** The contents of the documents. */
interface IssuerDocuments {
  readonly issuer: string;
  /** The published URL of the keys; undefined: the URL on this server. */
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
function issuerDocuments(options: IssuerDocuments): ReadonlyMap<string, PublishedDocument> {
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

/** The verifier and the issuer of tokens of service accounts. */
export interface ServiceAccounts {
  readonly authenticator: Authenticator;
  /** The creates of sub-resources that issue tokens. */
  readonly creates: Readonly<Record<string, SubresourceCreate<never>>>;
  /** The audiences of the server: tokens with audiences must name one of them. */
  readonly apiAudiences: readonly string[];
  /** The documents of the issuer by path; `host` returns address and port of this server. */
  documents(host: () => string): ReadonlyMap<string, PublishedDocument>;
}

/** The issuers of accepted tokens; the first one issues new tokens. */
function issuersOf(
  options: Pick<ServerOptions, 'identifiers' | 'serviceAccountIssuers'>,
): readonly [string, ...string[]] {
  const [first, ...others] = options.serviceAccountIssuers;
  return [first ?? `https://${identifiersOf(options.identifiers).product}.default.svc`, ...others];
}

/** The audiences of the server: tokens with audiences must name one of them. */
export function apiAudiencesOf(
  options: Pick<ServerOptions, 'apiAudiences' | 'identifiers' | 'serviceAccountIssuers'>,
): readonly string[] {
  return options.apiAudiences.length > 0 ? options.apiAudiences : issuersOf(options);
}

/** Opens the keys until the server stops. Rejects with an error that names the flag. */
export async function openServiceAccounts(
  options: ServerOptions,
  dependencies: AccessDependencies,
): Promise<ServiceAccounts> {
  const { identifiers, listerOf, metrics, tokenCache, log, signal } = dependencies;
  const keys = await openServiceAccountKeys(options, log);
  keys.watch();
  if (signal.aborted) keys.close();
  else signal.addEventListener('abort', () => keys.close(), { once: true });
  const objects = liveObjects(listerOf, identifiers);
  const authenticator = serviceAccountTokenAuthenticator({
    identifiers,
    issuers: issuersOf(options),
    audiences: apiAudiencesOf(options),
    lookUp: options.serviceAccountLookup,
    keys: () => keys.current().verification,
    objects,
    metrics: tokenCache,
    onUse: useCounter(metrics),
    track: tokenTracking(options, dependencies, objects),
  });
  const tokenIssuer = issuerOf(options, identifiers, keys.current);
  const { serviceAccountJwksUri: jwksUri } = options;
  return {
    authenticator,
    creates: { '/serviceaccounts/token': createToken(tokenIssuer) },
    apiAudiences: apiAudiencesOf(options),
    documents: (host) => issuerDocuments({ issuer: tokenIssuer.issuer, jwksUri, host, keys: keys.current }),
  };
}

function issuerOf(options: ServerOptions, identifiers: Identifiers, keys: () => ServiceAccountKeys): TokenIssuer {
  const { isEnabled } = featuresOf(options);
  return {
    identifiers,
    issuer: issuersOf(options)[0],
    audiences: apiAudiencesOf(options),
    key: () => keys().signing,
    longestSeconds: Math.floor(options.serviceAccountMaxTokenExpirationMs / 1000),
    extendsLifetime: options.serviceAccountExtendTokenExpiration,
    hasIds: isEnabled('ServiceAccountTokenJTI'),
    bindsNodes: isEnabled('ServiceAccountTokenNodeBinding'),
    namesNodeOfPod: isEnabled('ServiceAccountTokenPodNodeInfo'),
  };
}

/** Returns the tracker of legacy tokens, if the release has it. */
function tokenTracking(
  options: ServerOptions,
  { identifiers, registries, metrics, log, signal }: AccessDependencies,
  objects: LiveObjects,
): TrackLegacyToken | undefined {
  const { emulatedRelease: release } = options;
  if (!tracksLegacyTokens({ release, isFeatureEnabled: featuresOf(options).isEnabled })) return undefined;
  const record = tokenUseRecorder({ identifiers, registries, log, signal });
  return legacyTokenTracker({ identifiers, release, objects, record, onUse: legacyUseCounter(metrics) });
}

function liveObjects(listerOf: ListerOf, identifiers: Identifiers): LiveObjects {
  const group = '';
  return {
    // A token of any account may come with the first request.
    serviceaccount: listerOf({ group, resource: 'serviceaccounts', read: readLiveAccount, warm: true }),
    secret: listerOf({ group, resource: 'secrets', read: liveSecretReader(identifiers) }),
    pod: listerOf({ group, resource: 'pods', read: readLiveObject }),
    node: listerOf({ group, resource: 'nodes', read: readLiveObject }),
  };
}

const useHelp: Readonly<Record<TokenUse, string>> = {
  legacy: 'Cumulative legacy service account tokens used',
  stale: 'Cumulative stale projected service account tokens used',
  valid: 'Cumulative valid projected service account tokens used',
};

function familyOf(use: TokenUse) {
  return counterVector({ name: `serviceaccount_${use}_tokens_total`, help: useHelp[use] }, []);
}

/** Registers the families of kube-apiserver for used tokens. */
function useCounter(metrics: MetricsRegistry): (use: TokenUse) => void {
  const families = { legacy: familyOf('legacy'), stale: familyOf('stale'), valid: familyOf('valid') };
  metrics.register(...Object.values(families));
  const uses = { legacy: families.legacy.with(), stale: families.stale.with(), valid: families.valid.with() };
  return (use) => uses[use].add();
}

function trackedFamily(name: string, help: string) {
  return counterVector({ name: `serviceaccount_${name}_total`, help }, []);
}

/** Registers the metrics of legacy tokens, which releases without the tracking do not have. */
function legacyUseCounter(metrics: MetricsRegistry): (use: LegacyTokenUse) => void {
  const families = {
    auto: trackedFamily('legacy_auto_token_uses', 'Cumulative auto-generated legacy tokens used'),
    manual: trackedFamily('legacy_manual_token_uses', 'Cumulative manually created legacy tokens used'),
    invalid: trackedFamily('invalid_legacy_auto_token_uses', 'Cumulative invalid auto-generated legacy tokens used'),
  };
  metrics.register(...Object.values(families));
  const uses = { auto: families.auto.with(), manual: families.manual.with(), invalid: families.invalid.with() };
  return (use) => uses[use].add();
}
