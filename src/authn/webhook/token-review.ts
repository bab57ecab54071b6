import type { JsonObject } from '../../meta/json-value.ts';
import { getOwn, isJsonObject } from '../../meta/json-value.ts';
import { isTrue, objectAt, stringAt, stringsAt } from '../../meta/read-field.ts';
import type { UserInfo } from '../../meta/user-info.ts';

/** The versions of TokenReview, which have the same fields. */
export const tokenReviewVersions = ['v1beta1', 'v1'] as const;

/** A version of TokenReview. */
export type TokenReviewVersion = (typeof tokenReviewVersions)[number];

/** The answer about a token: whose it is, or why it is refused. */
export type ReviewedToken =
  | { readonly user: UserInfo; readonly audiences: readonly string[] }
  | { readonly user: undefined; readonly error: string };

/** The review to send. Without audiences the token is meant for this server. */
export function tokenReviewOf(token: string, audiences: readonly string[], apiVersion: string): JsonObject {
  const spec = { token, ...(audiences.length === 0 ? {} : { audiences: [...audiences] }) };
  return { apiVersion, kind: 'TokenReview', metadata: { creationTimestamp: null }, spec };
}

/** Reads an answered review. Throws an Error if it is not one of the same version. */
export function reviewedToken(review: JsonObject, apiVersion: string): ReviewedToken {
  if (review['apiVersion'] !== apiVersion || review['kind'] !== 'TokenReview') {
    throw new Error(`the webhook must answer with a TokenReview of ${apiVersion}`);
  }
  const status = objectAt(review, 'status');
  if (!isTrue(status, 'authenticated')) return { user: undefined, error: stringAt(status, 'error') };
  const user = objectAt(status, 'user');
  const username = stringAt(user, 'username');
  if (username === '') throw new Error('the webhook authenticated a user without a name');
  return {
    user: { username, uid: stringAt(user, 'uid'), groups: stringsAt(user, 'groups'), extra: extraOf(user) },
    audiences: stringsAt(status, 'audiences'),
  };
}

function extraOf(user: JsonObject): UserInfo['extra'] {
  const extra = getOwn(user, 'extra');
  if (!isJsonObject(extra)) return {};
  return Object.fromEntries(Object.keys(extra).map((key) => [key, stringsAt(extra, key)]));
}
