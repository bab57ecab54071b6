import type { ClaimExpressions } from './claim-expressions.ts';

/** An issuer of ID tokens that the server trusts, and how its claims name users. */
export interface JwtIssuer {
  /** The `iss` of its tokens: an https URL. */
  readonly url: string;
  /** The URL of its discovery document; undefined: the well-known path below `url`. */
  readonly discoveryUrl?: string | undefined;
  /** PEM of the CAs that verify the provider; undefined: the CAs of the system. */
  readonly ca?: string | undefined;
  /** The egress type whose proxy leads to the provider; undefined: a direct connection. */
  readonly egress?: 'controlplane' | 'cluster' | undefined;
  /** A token must be for one of these audiences. */
  readonly audiences: readonly string[];
  /** The algorithms of signatures. */
  readonly signingAlgorithms: readonly string[];
  readonly username: ClaimMapping;
  readonly groups?: ClaimMapping | undefined;
  /** The claim with the UID. */
  readonly uidClaim?: string | undefined;
  /** Claims that must have these values. */
  readonly requiredClaims: Readonly<Record<string, string>>;
  /** Expressions in place of claims, and for further checks. */
  readonly expressions?: ClaimExpressions;
}

/** A claim, and the text in front of its values. */
export interface ClaimMapping {
  readonly claim: string;
  readonly prefix: string;
}

/** The algorithms that providers may use. */
export const allSigningAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
] as const;

/** The problem of the URL of a provider; undefined if there is none. */
export function providerUrlError(text: string): string | undefined {
  if (!URL.canParse(text)) return 'must be a URL';
  const url = new URL(text);
  if (url.protocol !== 'https:') return 'must be an https URL';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  return text.includes('?') || text.includes('#') ? 'must not have a query or a fragment' : undefined;
}

/** The errors in the URL of an issuer of a configuration file, with kube-apiserver's messages. */
export function providerUrlErrors(text: string): readonly string[] {
  if (!URL.canParse(text)) return [providerUrlError(text) ?? ''];
  const { protocol, username, password } = new URL(text);
  const [beforeFragment = '', fragment = ''] = text.split('#', 2);
  return [
    ...(protocol === 'https:' ? [] : ['URL scheme must be https']),
    ...(username === '' && password === '' ? [] : ['URL must not contain a username or password']),
    ...(/\?./.test(beforeFragment) ? ['URL must not contain a query'] : []),
    ...(fragment === '' ? [] : ['URL must not contain a fragment']),
  ];
}
