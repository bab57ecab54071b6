import { andThen, type MaybePromise } from '../../async/maybe-promise.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { stringAt, isSet, numberAt, objectAt, stringsAt } from '../../meta/read-field.ts';
import type { AuthenticationRequest, AuthenticationResult, Authenticator } from '../authenticator.ts';
import { type Jwt, readJwt } from '../jwt/read-jwt.ts';
import type { VerificationKey } from '../jwt/token-key.ts';
import { verifyJwt } from '../jwt/verify-jwt.ts';
import { refusedCredential } from '../refused-credential.ts';
import { deadReference, type LiveObjects, tokenDigestOf } from './live-object.ts';
import type { TrackLegacyToken } from './legacy-token-use.ts';
import { timeError, type TokenGrant, type Reference } from './token-grant.ts';
import type { TokenCacheMetrics } from '../token-cache-metrics.ts';
import { type TokenVerdict, VerifiedTokens } from '../verified-tokens.ts';
import { getOwn, type JsonObject } from '../../meta/json-value.ts';
import type { UserInfo } from '../../meta/user-info.ts';
import { accountUser, accountUsername } from './account-user.ts';
import { credentialId } from './credential-id.ts';

/** The issuer of legacy tokens, those in Secrets. */
function legacyIssuer({ product }: Identifiers): string {
  return `${product}/serviceaccount`;
}

/** Private claims of legacy tokens. */
const legacyClaims = ['namespace', 'service-account.name', 'service-account.uid', 'secret.name'] as const;

/**
 * Reads the grant of a legacy token from its verified claims. `lookUp` false: the
 * token is valid without its Secret and account. Throws 401 for missing claims.
 */
function readLegacyGrant(
  { compact, claims }: { readonly compact: string; readonly claims: JsonObject },
  { identifiers, lookUp }: { readonly identifiers: Identifiers; readonly lookUp: boolean },
): TokenGrant {
  const values = legacyClaims.map((name) => {
    const value = stringAt(claims, `${identifiers.labelDomain}/serviceaccount/${name}`);
    if (value === '') throw refusedCredential(`${name} claim is missing`);
    return value;
  });
  const [namespace = '', name = '', uid = '', secret = ''] = values;
  checkSubject(claims, namespace, name);
  const account: Reference = { kind: 'serviceaccount', namespace, name, uid };
  const holder: Reference = {
    kind: 'secret',
    namespace,
    name: secret,
    uid: undefined,
    tokenDigest: tokenDigestOf(compact),
  };
  return {
    user: accountUser({ namespace, name, uid }),
    audiences: [],
    ...timesOf(claims),
    warnAfterMs: Number.POSITIVE_INFINITY,
    references: lookUp ? [holder, account] : [],
    legacy: true,
  };
}

/**
 * Reads the grant of a token of the `token` sub-resource from its verified claims. Throws 401 for
 * missing claims.
 */
function readBoundGrant(claims: JsonObject, { labelDomain }: Identifiers): TokenGrant {
  const own = objectAt(claims, labelDomain);
  const namespace = stringAt(own, 'namespace');
  const account = referenceTo('serviceaccount', own, namespace);
  if (namespace === '' || !account) throw refusedCredential('private claims of the service account are missing');
  checkSubject(claims, namespace, account.name);
  const audience = getOwn(claims, 'aud');
  const audiences = typeof audience === 'string' ? [audience] : stringsAt(claims, 'aud');
  if (audiences.length === 0 || !isSet(claims, 'exp')) throw refusedCredential('token has no audience or no expiry');
  const secret = referenceTo('secret', own, namespace);
  const pod = referenceTo('pod', own, namespace);
  const node = referenceTo('node', own, '');
  // The node of a pod-bound token is information only: it ends with the pod.
  const bound = secret ?? pod ?? node;
  const warnAfter = numberAt(own, 'warnafter') ?? 0;
  return {
    user: accountUser(
      { namespace, name: account.name, uid: account.uid ?? '' },
      extraOf(labelDomain, { pod, node, id: stringAt(claims, 'jti') }),
    ),
    audiences,
    ...timesOf(claims),
    warnAfterMs: warnAfter === 0 ? Number.POSITIVE_INFINITY : warnAfter * 1000,
    references: bound ? [account, bound] : [account],
    legacy: false,
  };
}

function referenceTo(kind: Reference['kind'], own: JsonObject, namespace: string): Reference | undefined {
  const claim = objectAt(own, kind);
  const name = stringAt(claim, 'name');
  return name === '' ? undefined : { kind, namespace, name, uid: stringAt(claim, 'uid') };
}

/** More about the user of a bound token: `authentication.<domain>/pod-name` and so on. */
function extraOf(
  labelDomain: string,
  { pod, node, id }: { readonly pod: Reference | undefined; readonly node: Reference | undefined; readonly id: string },
): UserInfo['extra'] {
  const entries: [name: string, value: string][] = [
    ...(id === '' ? [] : [['credential-id', credentialId(id)] satisfies [string, string]]),
    ...nameAndUid('node', node),
    ...nameAndUid('pod', pod),
  ];
  return Object.fromEntries(entries.map(([name, value]) => [`authentication.${labelDomain}/${name}`, [value]]));
}

function nameAndUid(prefix: string, reference: Reference | undefined): [name: string, value: string][] {
  if (!reference) return [];
  return [
    [`${prefix}-name`, reference.name],
    [`${prefix}-uid`, reference.uid ?? ''],
  ];
}

function checkSubject(claims: JsonObject, namespace: string, name: string): void {
  if (stringAt(claims, 'sub') !== accountUsername(namespace, name)) throw refusedCredential('sub claim is invalid');
}

/** The times of a token in milliseconds. Throws 401 if one is not a number of seconds. */
function timesOf(claims: JsonObject): Pick<TokenGrant, 'notBeforeMs' | 'expiresMs'> {
  const [exp, nbf, iat] = ['exp', 'nbf', 'iat'].map((name) => {
    const seconds = getOwn(claims, name);
    if (seconds === undefined) return undefined;
    if (typeof seconds !== 'number' || !Number.isFinite(seconds))
      throw refusedCredential(`${name} claim is not a time`);
    return seconds * 1000;
  });
  // A token that was issued in the future is not valid before.
  const notBeforeMs = Math.max(nbf ?? Number.NEGATIVE_INFINITY, iat ?? Number.NEGATIVE_INFINITY);
  return { notBeforeMs, expiresMs: exp ?? Number.POSITIVE_INFINITY };
}

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
  /** Tracks each use of a valid legacy token; undefined: uses are not tracked. */
  readonly track?: TrackLegacyToken | undefined;
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
  const { identifiers, issuers, objects, keys, onUse, track, now = Date.now } = options;
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
    if (!(await verifyJwt(jwt, keys()))) return { problem: 'no known key has signed the token' };
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
    { grant, problem: wrong }: TokenVerdict<TokenGrant>,
    request: AuthenticationRequest,
  ): MaybePromise<AuthenticationResult> {
    if (wrong !== undefined) throw refusedCredential(wrong);
    if (!grant) return undefined;
    const nowMs = now();
    if (grant.legacy) request.audited?.annotate(legacyAnnotation, grant.user.username);
    const result = { user: grant.user, audiences: sharedAudiences(grant, request) };
    const dead =
      timeError(grant, nowMs) ?? deadReference(grant, { objects, nowMs, cancellation: request.cancellation });
    const problem = grant.legacy && track ? andThen(dead, (found) => found ?? track(grant, request)) : dead;
    const finish = (found: string | undefined): AuthenticationResult => {
      if (found !== undefined) throw refusedCredential(found);
      countUse(grant, nowMs, request);
      return result;
    };
    return problem instanceof Promise ? problem.then(finish) : finish(problem);
  }

  /** The audiences that a token and a request share. Throws 401 if there are none. */
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
