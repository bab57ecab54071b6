import { isDeepStrictEqual } from 'node:util';
import { untilAborted } from '../../async/abort-signals.ts';
import { stringAt } from '../../meta/read-field.ts';
import { createJsonClient } from '../../outbound/json-client.ts';
import type { OpenTunnel } from '../../outbound/proxy/send-connect.ts';
import type { AuthenticationResult, Authenticator } from '../authenticator.ts';
import { type Jwt, readJwt } from '../jwt/read-jwt.ts';
import { verifyJwt } from '../jwt/verify-jwt.ts';
import { refusedCredential } from '../refused-credential.ts';
import type { TokenCacheMetrics } from '../token-cache-metrics.ts';
import { type TokenVerdict, VerifiedTokens } from '../verified-tokens.ts';
import type { JwtIssuer } from './jwt-issuer.ts';
import { defaultProviderTiming, ProviderKeys, type ProviderTiming } from './provider-keys.ts';
import { type ClaimedUser, userOfClaims } from './user-of-claims.ts';

/** The dependencies of the authenticator; timing and clock are for tests. */
interface OidcOptions {
  /** Called with each failed request to a provider. */
  readonly onError: (issuer: string, error: unknown) => void;
  readonly metrics: TokenCacheMetrics;
  /** Returns the tunnel to the provider of an issuer; undefined: a direct connection. */
  readonly tunnelTo?: (issuer: JwtIssuer) => OpenTunnel | undefined;
  readonly timing?: ProviderTiming;
  readonly now?: () => number;
}

/** An authenticator with connections to its providers. */
interface Oidc extends Authenticator {
  /** Replaces the accepted issuers. Those that have not changed keep their keys. */
  use(issuers: readonly JwtIssuer[]): void;
  /** Ends all requests to providers. */
  close(): void;
}

/** A provider with the issuer that it serves. */
interface Provider {
  readonly issuer: JwtIssuer;
  readonly keys: ProviderKeys;
  readonly close: () => void;
}

const limits = { timeoutMs: 10_000, maxResponseBytes: 1024 * 1024, connections: 2 };

/**
 * Authenticates ID tokens of OpenID providers (spec 5.3). A token is verified once; later requests
 * with it only compare its times. Providers are asked for their keys, never about a token. Tokens
 * of other issuers are left to other authenticators. There are no issuers before `use`.
 */
export function createOidc({
  onError,
  metrics,
  tunnelTo = () => undefined,
  timing = defaultProviderTiming,
  now = Date.now,
}: OidcOptions): Oidc {
  let providers: ReadonlyMap<string, Provider> = new Map();
  const tokens = new VerifiedTokens<ClaimedUser>({ verify, metrics });

  function open(issuer: JwtIssuer): Provider {
    const stopping = new AbortController();
    const { signal } = stopping;
    const ca = issuer.ca === undefined ? {} : { ca: issuer.ca };
    const client = createJsonClient({ ...ca, tunnel: tunnelTo(issuer) }, limits);
    const keys = new ProviderKeys({
      issuer,
      client,
      timing,
      onChange: () => tokens.clear(),
      onError: (error) => onError(issuer.url, error),
      signal,
    });
    void keys.start();
    const close = (): void => {
      stopping.abort();
      void client.close();
    };
    return { issuer, keys, close };
  }

  function use(issuers: readonly JwtIssuer[]): void {
    const previous = providers;
    const chosen = issuers.map((issuer) => {
      const known = previous.get(issuer.url);
      return known && isDeepStrictEqual(known.issuer, issuer) ? known : open(issuer);
    });
    providers = new Map(chosen.map((provider) => [provider.issuer.url, provider]));
    for (const provider of previous.values()) if (!chosen.includes(provider)) provider.close();
    tokens.clear();
  }

  async function verify(token: string): Promise<TokenVerdict<ClaimedUser>> {
    const jwt = readJwt(token);
    const provider = jwt && providers.get(stringAt(jwt.claims, 'iss'));
    if (!provider) return {};
    const problem = await signatureError(jwt, provider.keys);
    if (problem !== undefined) return { problem };
    const claimed = userOfClaims(jwt.claims, provider.issuer);
    return typeof claimed === 'string' ? { problem: claimed } : { grant: claimed };
  }

  function resultOf({ grant, problem }: TokenVerdict<ClaimedUser>): AuthenticationResult {
    if (problem !== undefined) throw refusedCredential(problem);
    if (!grant) return undefined;
    if (now() > grant.notAfterMs) throw refusedCredential('the token has expired');
    if (now() < grant.notBeforeMs) throw refusedCredential('the token is not yet valid');
    return grant;
  }

  return {
    name: 'oidc',
    authenticate({ bearerToken, cancellation }) {
      if (!bearerToken?.includes('.')) return undefined;
      const verdict = tokens.get(bearerToken);
      return verdict instanceof Promise ? untilAborted(verdict, cancellation.signal).then(resultOf) : resultOf(verdict);
    },
    use,
    close: () => use([]),
  };
}

/**
 * The problem of a signature; undefined if it is valid. For an unknown key the provider is asked
 * for its keys.
 */
async function signatureError(jwt: Jwt, provider: ProviderKeys): Promise<string | undefined> {
  const keys = provider.current;
  if (!keys) return 'the provider has not answered yet';
  if (await verifyJwt(jwt, keys)) return undefined;
  if (keys.some(({ id }) => id !== '' && id === jwt.keyId)) return 'the signature is invalid';
  await provider.refresh();
  const renewed = provider.current;
  const isValid = renewed !== undefined && renewed !== keys && (await verifyJwt(jwt, renewed));
  return isValid ? undefined : 'the token is signed with an unknown key';
}
