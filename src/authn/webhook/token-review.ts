import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import type { UserInfo } from '../../meta/user-info.ts';

/** The versions of TokenReview, which have the same fields. */
export const tokenReviewVersions = ['v1beta1', 'v1'] as const;

/** A version of TokenReview. */
export type TokenReviewVersion = (typeof tokenReviewVersions)[number];

/** The answer about a token: its user, or the reason of its refusal. */
export type ReviewedToken =
  | { readonly user: UserInfo; readonly audiences: readonly string[] }
  | {
      readonly user: undefined;
      /** The webhook's reason, for the client too (spec section 7); '' without one. */
      readonly error: string;
      /** True if there was no answer: the error is for the log. */
      readonly isFailure?: true;
    };

/** The review to send. Without audiences the token is meant for this server. */
export function tokenReviewOf(token: string, audiences: readonly string[], apiVersion: string): JsonObject {
  const spec = { token, ...(audiences.length === 0 ? {} : { audiences: [...audiences] }) };
  return { apiVersion, kind: 'TokenReview', metadata: { creationTimestamp: null }, spec };
}

/**
 * Reads an answered review. Throws an Error if it is not one of the same version, or if a field has
 * another type: a user without some of its groups would be another user.
 */
export function reviewedToken(review: JsonObject, apiVersion: string): ReviewedToken {
  if (review['apiVersion'] !== apiVersion || review['kind'] !== 'TokenReview') {
    throw new Error(`the webhook must answer with a TokenReview of ${apiVersion}`);
  }
  const status = mapAt(review, 'status');
  const user = mapAt(status, 'user');
  const [username, uid, error] = [textAt(user, 'username'), textAt(user, 'uid'), textAt(status, 'error')];
  const [groups, audiences] = [textsAt(user, 'groups'), textsAt(status, 'audiences')];
  const extra = extraOf(mapAt(user, 'extra'));
  if (!flagAt(status, 'authenticated')) return { user: undefined, error };
  if (username === '') throw new Error('the webhook authenticated a user without a name');
  return { user: { username, uid, groups, extra }, audiences };
}

function extraOf(extra: JsonObject): UserInfo['extra'] {
  return Object.fromEntries(Object.keys(extra).map((key) => [key, textsAt(extra, key)]));
}

/** Reads a field of a type; missing ones and null are the empty value. */
function fieldAt<Value>(object: JsonObject, name: string, empty: Value, is: (value: unknown) => value is Value): Value {
  const value = getOwn(object, name) ?? empty;
  if (is(value)) return value;
  throw new Error(`the field ${JSON.stringify(name)} of the webhook's answer has the wrong type`);
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isMap = (value: unknown): value is JsonObject => isJsonObject(value as JsonValue);
const areTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

const textAt = (object: JsonObject, name: string): string => fieldAt(object, name, '', isText);
const flagAt = (object: JsonObject, name: string): boolean => fieldAt(object, name, false, isFlag);
const mapAt = (object: JsonObject, name: string): JsonObject => fieldAt(object, name, {}, isMap);
const textsAt = (object: JsonObject, name: string): readonly string[] => fieldAt(object, name, [], areTexts);
