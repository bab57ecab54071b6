import type { UserInfo } from '../../meta/user-info.ts';

/** The user of a token whose signature is verified, and the conditions under which it is valid. */
export interface TokenGrant {
  readonly user: UserInfo;
  /** The audiences that the token names; none: it is for this server only. */
  readonly audiences: readonly string[];
  /** The times in milliseconds since the epoch; -Infinity and Infinity without a limit. */
  readonly notBeforeMs: number;
  readonly expiresMs: number;
  /** The time by which a token with extended lifetime should be replaced. */
  readonly warnAfterMs: number;
  /** The objects that must exist. */
  readonly references: readonly Reference[];
  /** True for a token of a Secret, false for one of the `token` sub-resource. */
  readonly legacy: boolean;
}

/** An object that must exist for a token to be valid. */
export interface Reference {
  readonly kind: ReferencedKind;
  /** '' for nodes. */
  readonly namespace: string;
  readonly name: string;
  /** The UID of the object; undefined if the token does not contain it. */
  readonly uid: string | undefined;
  /** The `tokenDigest` that a Secret must have. */
  readonly tokenDigest?: string;
}

/** The kinds that tokens depend on. */
export type ReferencedKind = 'serviceaccount' | 'secret' | 'pod' | 'node';

/** How far the clocks of issuer and verifier may differ, as in kube-apiserver. */
export const clockSkewMs = 60_000;

/** The problem of a grant at a time; undefined if it is valid then. */
export function timeError({ notBeforeMs, expiresMs }: TokenGrant, nowMs: number): string | undefined {
  if (nowMs - clockSkewMs > expiresMs) return 'service account token has expired';
  return nowMs + clockSkewMs < notBeforeMs ? 'service account token is not valid yet' : undefined;
}
