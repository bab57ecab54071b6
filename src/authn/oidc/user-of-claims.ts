import { getOwn, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { isSet, numberAt, objectAt } from '../../meta/read-field.ts';
import type { UserInfo } from '../../meta/user-info.ts';
import { type Expression, ExpressionError } from '../../cel/values/expression.ts';
import type { CheckedRule, ClaimExpressions } from './claim-expressions.ts';
import type { ClaimMapping, JwtIssuer } from './jwt-issuer.ts';

/** A user as the claims of a token name it, and the time in which the token is valid. */
export interface ClaimedUser {
  readonly user: UserInfo;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** How far clocks of providers may be ahead, as in go-oidc, which kube-apiserver uses. */
const aheadMs = 60_000;

/** Users and groups of the system itself, which no provider may name. */
const reserved = 'system:';

/** A problem of a claim. The message names the claim and never its value. */
class ClaimError extends Error {
  override readonly name = 'ClaimError';
}

/** Maps the claims of a verified token to a user (spec 5.3), or returns their error. */
export function userOfClaims(claims: JsonObject, issuer: JwtIssuer): ClaimedUser | string {
  try {
    checkAudience(claims, issuer.audiences);
    checkRequired(claims, issuer.requiredClaims);
    if (isSet(claims, 'sub')) textOf(claims, 'sub');
    const validity = validityOf(claims);
    const { expressions } = issuer;
    if (!expressions) return { user: namedUser(claims, issuer), ...validity };
    checkRules(expressions.claimRules, { claims });
    const user = computedUser(claims, issuer, expressions);
    checkRules(expressions.userRules, { user: { ...user, groups: [...user.groups], extra: jsonOf(user.extra) } });
    return { user, ...validity };
  } catch (error) {
    if (error instanceof ClaimError) return error.message;
    throw error;
  }
}

function namedUser(claims: JsonObject, issuer: JwtIssuer): UserInfo {
  return {
    username: usernameOf(claims, issuer.username),
    uid: issuer.uidClaim === undefined ? '' : textOf(claims, issuer.uidClaim),
    groups: issuer.groups ? groupsOf(claims, issuer.groups) : [],
    extra: {},
  };
}

/** The user whom expressions name, and claims where there is no expression. */
function computedUser(claims: JsonObject, issuer: JwtIssuer, expressions: ClaimExpressions): UserInfo {
  const { username, groups, uid, extra } = expressions;
  const valueOf = (expression: Expression, what: string): readonly string[] =>
    textsOf(evaluated(expression, { claims }, what), what);
  const oneOf = (expression: Expression, what: string): string => {
    const value = evaluated(expression, { claims }, what);
    if (typeof value !== 'string') throw new ClaimError(`the expression of ${what} is no text`);
    return value;
  };
  const name = username ? oneOf(username, 'the user name') : usernameOf(claims, issuer.username);
  if (name === '') throw new ClaimError('the expression of the user name is empty');
  const named = groups ? valueOf(groups, 'groups') : issuer.groups ? groupsOf(claims, issuer.groups) : [];
  const values = extra.map(({ key, value }) => [key, valueOf(value, `extra ${key}`)] as const);
  return {
    username: unreserved(name, 'expression of the user name'),
    uid: uid ? oneOf(uid, 'the UID') : issuer.uidClaim === undefined ? '' : textOf(claims, issuer.uidClaim),
    groups: named.map((group) => unreserved(group, 'expression of groups')),
    extra: Object.fromEntries(values.filter(([, list]) => list.length > 0)),
  };
}

/** Evaluates an expression. The error names it, not its values. */
function evaluated(expression: Expression, values: Record<string, JsonValue>, what: string): JsonValue {
  try {
    return expression.evaluate(values);
  } catch (cause) {
    if (cause instanceof ExpressionError) throw new ClaimError(`the expression of ${what} has no value`, { cause });
    throw cause;
  }
}

function checkRules(rules: readonly CheckedRule[], values: Record<string, JsonValue>): void {
  for (const { expression, message } of rules) {
    if (evaluated(expression, values, 'a rule') === true) continue;
    const failed = `validation expression ${JSON.stringify(expression.text)} failed`;
    throw new ClaimError(message === '' ? failed : `${failed}: ${message}`);
  }
}

/** A text, or a list of texts. Nothing and empty texts are no values. */
function textsOf(value: JsonValue, what: string): readonly string[] {
  const list: readonly JsonValue[] = Array.isArray(value) ? value : value === null || value === '' ? [] : [value];
  return list.map((one) => {
    if (typeof one !== 'string') throw new ClaimError(`the expression of ${what} is no text or list of texts`);
    return one;
  });
}

function jsonOf(extra: UserInfo['extra']): JsonObject {
  return Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]));
}

function checkAudience(claims: JsonObject, audiences: readonly string[]): void {
  const aud = getOwn(claims, 'aud');
  const named = Array.isArray(aud) ? aud : [aud];
  if (!named.some((one) => typeof one === 'string' && audiences.includes(one))) {
    throw new ClaimError('the token is for other audiences');
  }
}

function checkRequired(claims: JsonObject, required: Readonly<Record<string, string>>): void {
  for (const [claim, value] of Object.entries(required)) {
    if (getOwn(claims, claim) !== value) throw new ClaimError(`the claim ${claim} does not have the required value`);
  }
}

function usernameOf(claims: JsonObject, { claim, prefix }: ClaimMapping): string {
  const name = textOf(claims, claim);
  if (claim === 'email' && isSet(claims, 'email_verified') && getOwn(claims, 'email_verified') !== true) {
    throw new ClaimError('the email is not verified');
  }
  return unreserved(prefix + name, claim);
}

function groupsOf(claims: JsonObject, { claim, prefix }: ClaimMapping): readonly string[] {
  const value = getOwn(claims, claim);
  if (value === undefined || value === null) {
    // Following the reference would send a token to a server that the token names.
    if (isSet(objectAt(claims, '_claim_names'), claim)) throw new ClaimError(`the claim ${claim} is distributed`);
    return [];
  }
  const groups: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  return groups.map((group) => {
    if (typeof group !== 'string') throw new ClaimError(`the claim ${claim} must be a text or a list of texts`);
    return unreserved(prefix + group, claim);
  });
}

function textOf(claims: JsonObject, claim: string): string {
  const value = getOwn(claims, claim);
  if (typeof value !== 'string' || value === '') throw new ClaimError(`the claim ${claim} must be a text`);
  return value;
}

function unreserved(name: string, claim: string): string {
  if (name.startsWith(reserved)) throw new ClaimError(`the claim ${claim} names a user or group of the system`);
  return name;
}

/** A token ends exactly at `exp`. The time of its issue says nothing about its validity. */
function validityOf(claims: JsonObject): Pick<ClaimedUser, 'notBeforeMs' | 'notAfterMs'> {
  if (!isSet(claims, 'exp')) throw new ClaimError('the token does not expire');
  const [end, start] = ['exp', 'nbf', 'iat'].map((claim) => timeOf(claims, claim));
  return { notBeforeMs: (start ?? -Infinity) * 1000 - aheadMs, notAfterMs: (end ?? 0) * 1000 };
}

function timeOf(claims: JsonObject, claim: string): number | undefined {
  if (!isSet(claims, claim)) return undefined;
  const seconds = numberAt(claims, claim);
  if (seconds === undefined || !Number.isFinite(seconds)) throw new ClaimError(`the claim ${claim} must be a time`);
  return Math.trunc(seconds);
}
