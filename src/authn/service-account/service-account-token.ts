import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { stringAt } from '../../meta/read-field.ts';
import type { AuthenticationRequest, AuthenticationResult, Authenticator } from '../authenticator.ts';
import { type Jwt, readJwt } from '../jwt/read-jwt.ts';
import type { VerificationKey } from '../jwt/token-key.ts';
import { verifyJwt } from '../jwt/verify-jwt.ts';
import { refusedCredential } from '../refused-credential.ts';
import { deadReference, type LiveObjects } from './live-object.ts';
import { legacyIssuer, readBoundGrant, readLegacyGrant } from './read-grant.ts';
import { timeError, type TokenGrant } from './token-grant.ts';
import type { TokenCacheMetrics } from '../token-cache-metrics.ts';
import { type TokenVerdict, VerifiedTokens } from '../verified-tokens.ts';

/** The kinds of used tokens that are counted. */
export type TokenUse = 'legacy' | 'stale' | 'valid';

/** The dependencies of the authenticator; `now` is for tests. */
interface ServiceAccountTokenOptions {
  readonly identifiers: Identifiers;
  /** The accepted issuers of bound tokens. */
  readonly issuers: readonly string[];
  /** The audiences of this server; a token must name one of them. */
  readonly audiences: readonly string[];
  /** True if legacy tokens need their Secret and account. */
  readonly lookUp: boolean;
  /** Returns the current keys; a new array after each change. */
  readonly keys: () => readonly VerificationKey[];
  readonly objects: LiveObjects;
  readonly onUse: (use: TokenUse) => void;
  readonly metrics: TokenCacheMetrics;
  readonly now?: () => number;
}

/**
 * Authenticates tokens of service accounts (spec 5.2): legacy ones, which are in Secrets, and bound
 * ones of the sub-resource `token`. The account and the object that a token is bound to are looked
 * up for each request, so that their deletion ends the token at once; signatures are verified once.
 * Tokens of other issuers are left to other authenticators. The audit events of requests with
 * legacy tokens, and with ones that should have been replaced, name the account in an annotation.
 */
export function serviceAccountTokenAuthenticator(options: ServiceAccountTokenOptions): Authenticator {
  const { identifiers, issuers, objects, keys, onUse, now = Date.now } = options;
  const legacy = legacyIssuer(identifiers);
  const legacyAnnotation = `authentication.${identifiers.apiDomain}/legacy-token`;
  const staleAnnotation = `authentication.${identifiers.apiDomain}/stale-token`;
  let usedKeys = keys();
  const tokens = new VerifiedTokens<TokenGrant>({ verify, metrics: options.metrics });
  return {
    name: 'service-account-token',
    authenticate(request) {
      const { bearerToken } = request;
      if (!bearerToken || !mayBeJwt(bearerToken)) return undefined;
      if (usedKeys !== keys()) {
        usedKeys = keys();
        tokens.clear();
      }
      const known = tokens.get(bearerToken);
      return known instanceof Promise ? known.then((verdict) => accept(verdict, request)) : accept(known, request);
    },
  };

  async function verify(compact: string): Promise<TokenVerdict<TokenGrant>> {
    const jwt = readJwt(compact);
    if (!jwt || !isOwn(jwt)) return {};
    if (!(await verifyJwt(jwt, keys()))) return { fault: 'no known key has signed the token' };
    return { grant: isLegacy(jwt) ? readLegacyGrant(jwt, options) : readBoundGrant(jwt.claims, identifiers) };
  }

  function isOwn(jwt: Jwt): boolean {
    return isLegacy(jwt) || issuers.includes(issuerOf(jwt));
  }

  /** The issuer of legacy tokens may also be configured for bound ones. */
  function isLegacy(jwt: Jwt): boolean {
    return issuerOf(jwt) === legacy && !Object.hasOwn(jwt.claims, identifiers.labelDomain);
  }

  function accept(
    { grant, fault: wrong }: TokenVerdict<TokenGrant>,
    request: AuthenticationRequest,
  ): MaybePromise<AuthenticationResult> {
    if (wrong !== undefined) throw refusedCredential(wrong);
    if (!grant) return undefined;
    const nowMs = now();
    if (grant.legacy) request.audited?.annotate(legacyAnnotation, grant.user.username);
    const result = { user: grant.user, audiences: sharedAudiences(grant, request) };
    const fault =
      timeError(grant, nowMs) ?? deadReference(grant, { objects, nowMs, cancellation: request.cancellation });
    const finish = (found: string | undefined): AuthenticationResult => {
      if (found !== undefined) throw refusedCredential(found);
      countUse(grant, nowMs, request);
      return result;
    };
    return fault instanceof Promise ? fault.then(finish) : finish(fault);
  }

  /** Throws 401 if a token is for nobody who asks. */
  function sharedAudiences({ audiences }: TokenGrant, request: AuthenticationRequest): readonly string[] {
    const named = audiences.length === 0 ? options.audiences : audiences;
    const wanted = request.audiences ?? options.audiences;
    const shared = named.filter((audience) => wanted.includes(audience));
    if (shared.length > 0) return shared;
    throw refusedCredential(
      `token audiences ${JSON.stringify(named)} is invalid for the target audiences ${JSON.stringify(wanted)}`,
    );
  }

  function countUse(grant: TokenGrant, nowMs: number, request: AuthenticationRequest): void {
    if (grant.legacy) return onUse('legacy');
    if (nowMs <= grant.warnAfterMs) return onUse('valid');
    const seconds = Math.floor((nowMs - grant.warnAfterMs) / 1000);
    const stale = `subject: ${grant.user.username}, seconds after warning threshold: ${seconds}`;
    request.audited?.annotate(staleAnnotation, stale);
    return onUse('stale');
  }
}

/** A quick test that leaves other tokens, such as static ones, alone. */
function mayBeJwt(token: string): boolean {
  return token.startsWith('ey') && token.indexOf('.') > 0;
}

function issuerOf({ claims }: Jwt): string {
  return stringAt(claims, 'iss');
}
