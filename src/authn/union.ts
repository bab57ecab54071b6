import { StatusError } from '../status/status-error.ts';
import type { AuthenticationRequest, AuthenticationResult, Authenticator } from './authenticator.ts';
import { anonymous, type UserInfo } from './user-info.ts';

/** The group of every user that an authenticator recognised (spec 5.1). */
const authenticatedGroup = 'system:authenticated';

/**
 * Asks the authenticators in order; the first user wins. A credential that was refused does not end the search, but when
 * nobody else recognises the request it is answered 401, and so is a bearer token that nobody knows: bad credentials never
 * become the anonymous user. Without any credential the answer is `anonymous`, or 401 where that is not allowed.
 */
export async function authenticate(
  authenticators: readonly Authenticator[],
  request: AuthenticationRequest,
  options: { readonly anonymous: boolean },
): Promise<UserInfo> {
  let refusal: StatusError | undefined;
  for (const authenticator of authenticators) {
    try {
      // Most authenticators answer at once; awaiting them would cost a turn for every request.
      const answer = authenticator.authenticate(request);
      const result = answer instanceof Promise ? await answer : answer;
      if (result) return authenticated(result);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      refusal ??= error;
    }
  }
  if (refusal) throw refusal;
  if (request.bearerToken || !options.anonymous) throw new StatusError('Unauthorized', 'Unauthorized');
  return anonymous;
}

function authenticated({ user }: NonNullable<AuthenticationResult>): UserInfo {
  if (user.groups.includes(authenticatedGroup)) return user;
  return { ...user, groups: [...user.groups, authenticatedGroup] };
}
