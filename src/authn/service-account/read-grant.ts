import type { Identifiers } from '../../identifiers/identifiers.ts';
import { getOwn, type JsonObject } from '../../meta/json-value.ts';
import { isSet, numberAt, objectAt, stringAt, stringsAt } from '../../meta/read-field.ts';
import type { UserInfo } from '../../meta/user-info.ts';
import { refusedCredential } from '../refused-credential.ts';
import { accountUser, accountUsername } from './account-user.ts';
import { credentialId } from './credential-id.ts';
import { tokenDigestOf } from './live-object.ts';
import type { Reference, TokenGrant } from './token-grant.ts';

/** The issuer of legacy tokens, those in Secrets. */
export function legacyIssuer({ product }: Identifiers): string {
  return `${product}/serviceaccount`;
}

/** Private claims of legacy tokens. */
const legacyClaims = ['namespace', 'service-account.name', 'service-account.uid', 'secret.name'] as const;

/**
 * Reads the grant of a legacy token from its verified claims. `lookUp` false: the
 * token is valid without its Secret and account. Throws 401 for missing claims.
 */
export function readLegacyGrant(
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
export function readBoundGrant(claims: JsonObject, { labelDomain }: Identifiers): TokenGrant {
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
