import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { signJwt } from '../jwt/sign-jwt.ts';
import type { SigningKey } from '../jwt/token-key.ts';
import { accountUsername } from './account-user.ts';
import type { ReferencedKind } from './token-grant.ts';

/** An object by name and uid. */
interface NamedObject {
  readonly name: string;
  readonly uid: string;
}

/** A bound token to issue; times in seconds since the epoch. */
export interface TokenOrder {
  readonly namespace: string;
  readonly account: NamedObject;
  /** The objects that the token names besides its account. */
  readonly bound: readonly (NamedObject & { readonly kind: ReferencedKind })[];
  readonly audiences: readonly string[];
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** The time by which the token should be replaced, if it is valid for longer. */
  readonly warnAfter: number | undefined;
  /** The identity of the token, the claim `jti`; undefined: it has none. */
  readonly id: string | undefined;
}

/** The issuer of bound tokens. */
interface Issuer {
  readonly identifiers: Identifiers;
  readonly issuer: string;
  readonly key: SigningKey;
}

/** Signs a bound token. The claims are sorted, as in kube-apiserver. */
export async function issueToken(order: TokenOrder, { identifiers, issuer, key }: Issuer): Promise<string> {
  const { namespace, account, bound, audiences, issuedAt, expiresAt, warnAfter, id } = order;
  const references = [...bound, { kind: 'serviceaccount', ...account }]
    .toSorted((a, b) => (a.kind < b.kind ? -1 : 1))
    .map(({ kind, name, uid }) => [kind, { name, uid }] as const);
  const claims: JsonObject = {
    aud: [...audiences],
    exp: expiresAt,
    iat: issuedAt,
    iss: issuer,
    ...(id === undefined ? {} : { jti: id }),
    [identifiers.labelDomain]: {
      namespace,
      ...Object.fromEntries(references),
      ...(warnAfter === undefined ? {} : { warnafter: warnAfter }),
    },
    nbf: issuedAt,
    sub: accountUsername(namespace, account.name),
  };
  return await signJwt(claims, key);
}
