import type { MaybePromise } from '../async/maybe-promise.ts';
import { StatusError } from '../status/status-error.ts';
import type { AuthenticationRequest, AuthenticationResult, Authenticator } from './authenticator.ts';
import { genericRefusal } from './refused-credential.ts';
import { anonymous, type UserInfo } from '../meta/user-info.ts';
import { memoize } from '../meta/memoize.ts';

/** The group of all authenticated users (spec 5.1). */
const authenticatedGroup = 'system:authenticated';

/** Users with that group. Most authenticators return the same user object each time. */
const completed = memoize((user: UserInfo) => ({ ...user, groups: [...user.groups, authenticatedGroup] }));

/**
 * Asks the authenticators in order; the first user is taken. An invalid credential does not end
 * the search. If no authenticator recognises the request, an invalid credential or an unknown
 * bearer token is a 401; such requests never become anonymous. Requests without credentials are
 * anonymous, or a 401 if that is disabled. Synchronous if all authenticators are, because a promise
 * would delay each request.
 */
export function findUser(
  authenticators: readonly Authenticator[],
  request: AuthenticationRequest,
  options: { readonly anonymous: boolean },
): UserInfo | Promise<UserInfo> {
  const answer = identify(authenticators, request);
  return answer instanceof Promise ? answer.then(admit) : admit(answer);

  function admit(result: AuthenticatorResult): UserInfo {
    if (result instanceof StatusError) throw result;
    if (result) return result.user;
    if (request.bearerToken || !options.anonymous) throw new StatusError('Unauthorized', 'Unauthorized');
    return anonymous;
  }
}

/**
 * A user, the first refusal if no authenticator knows the user, or undefined without any opinion.
 */
type AuthenticatorResult = AuthenticationResult | StatusError;

/**
 * The first user that an authenticator recognises, with the audiences of the credential and the
 * group of authenticated users; else the first refusal, or undefined if there is none.
 */
export function identify(
  authenticators: readonly Authenticator[],
  request: AuthenticationRequest,
): MaybePromise<AuthenticatorResult> {
  const answer = ask(authenticators, request, 0, undefined);
  return answer instanceof Promise ? answer.then(withGroup) : withGroup(answer);
}

function withGroup(result: AuthenticatorResult): AuthenticatorResult {
  if (!result || result instanceof StatusError) return result;
  return { ...result, user: authenticated(result) };
}

function ask(
  authenticators: readonly Authenticator[],
  request: AuthenticationRequest,
  from: number,
  earlier: StatusError | undefined,
): AuthenticatorResult | Promise<AuthenticatorResult> {
  let refusal = earlier;
  for (let index = from; index < authenticators.length; index++) {
    const answer = askOne(authenticators[index], request);
    if (answer instanceof Promise) {
      return answer.then((result) => {
        if (result && !(result instanceof StatusError)) return result;
        return ask(authenticators, request, index + 1, result ? preferred(refusal, result) : refusal);
      });
    }
    if (answer instanceof StatusError) refusal = preferred(refusal, answer);
    else if (answer) return answer;
  }
  return refusal;
}

/** The first refusal, or the first one with a message of its own. */
function preferred(earlier: StatusError | undefined, later: StatusError): StatusError {
  const isBetter = earlier?.message === genericRefusal && later.message !== genericRefusal;
  return earlier && !isBetter ? earlier : later;
}

function askOne(
  authenticator: Authenticator | undefined,
  request: AuthenticationRequest,
): AuthenticatorResult | Promise<AuthenticatorResult> {
  try {
    const answer = authenticator?.authenticate(request);
    return answer instanceof Promise ? answer.catch(refusalOf) : answer;
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  throw error;
}

function authenticated({ user }: NonNullable<AuthenticationResult>): UserInfo {
  return user.groups.includes(authenticatedGroup) ? user : completed(user);
}
