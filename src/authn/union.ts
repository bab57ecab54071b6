import { StatusError } from '../status/status-error.ts';
import type { AuthenticationRequest, AuthenticationResult, Authenticator } from './authenticator.ts';
import { anonymous, type UserInfo } from '../meta/user-info.ts';

/** The group of every user that an authenticator recognised (spec 5.1). */
const authenticatedGroup = 'system:authenticated';

/** Users with that group. Most authenticators answer the same object each time. */
const completedUsers = new WeakMap<UserInfo, UserInfo>();

/**
 * Asks the authenticators in order; the first user wins. A credential that was refused does not end the search, but when
 * nobody else recognises the request it is answered 401, and so is a bearer token that nobody knows: bad credentials never
 * become the anonymous user. Without any credential the answer is `anonymous`, or 401 where that is not allowed. Most
 * authenticators answer at once; then so does this, because a promise would cost every request a turn.
 */
export function authenticate(
  authenticators: readonly Authenticator[],
  request: AuthenticationRequest,
  options: { readonly anonymous: boolean },
): UserInfo | Promise<UserInfo> {
  const answer = ask(authenticators, request, 0, undefined);
  return answer instanceof Promise ? answer.then(admit) : admit(answer);

  function admit(result: Answer): UserInfo {
    if (result instanceof StatusError) throw result;
    if (result) return authenticated(result);
    if (request.bearerToken || !options.anonymous) throw new StatusError('Unauthorized', 'Unauthorized');
    return anonymous;
  }
}

/** A user, the first refusal where nobody knew the request, or undefined where nobody had an opinion. */
type Answer = AuthenticationResult | StatusError;

function ask(
  authenticators: readonly Authenticator[],
  request: AuthenticationRequest,
  from: number,
  earlier: StatusError | undefined,
): Answer | Promise<Answer> {
  let refusal = earlier;
  for (let index = from; index < authenticators.length; index++) {
    const answer = askOne(authenticators[index], request);
    if (answer instanceof Promise) {
      return answer.then((result) => {
        if (result && !(result instanceof StatusError)) return result;
        return ask(authenticators, request, index + 1, refusal ?? result);
      });
    }
    if (answer instanceof StatusError) refusal ??= answer;
    else if (answer) return answer;
  }
  return refusal;
}

function askOne(authenticator: Authenticator | undefined, request: AuthenticationRequest): Answer | Promise<Answer> {
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
  if (user.groups.includes(authenticatedGroup)) return user;
  let completed = completedUsers.get(user);
  if (!completed) {
    completed = { ...user, groups: [...user.groups, authenticatedGroup] };
    completedUsers.set(user, completed);
  }
  return completed;
}
