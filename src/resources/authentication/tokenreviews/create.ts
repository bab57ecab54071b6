import type { UserInfo } from '../../../meta/user-info.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { required } from '../../../status/field-error.ts';
import { objectAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import type { VirtualCreate } from '../../../registry/virtual-create.ts';
import { userInfoFields } from '../user-info-fields.ts';
import { virtualCreate } from '../../virtual-resource.ts';

/** The user of a token, and the audiences of the token if its issuer names any. */
interface TokenIdentity {
  readonly user: UserInfo;
  readonly audiences?: readonly string[];
}

/** Authenticates a token. Undefined if no authenticator accepts it. */
export type AuthenticateToken = (token: string, signal: AbortSignal) => Promise<TokenIdentity | undefined>;

/**
 * Creates the handler of TokenReviews (spec 2.6): whether a token is valid, and whose it is. An
 * invalid token is a result, not an error.
 */
export function tokenReview(authenticate: AuthenticateToken): VirtualCreate {
  return virtualCreate({
    group: 'authentication',
    kind: 'TokenReview',
    validate: (review) =>
      tokenOf(review) === '' ? [required('spec.token', 'token is required for TokenReview in authentication')] : [],
    answer: async (review, { cancellation }) => {
      const identity = await authenticate(tokenOf(review), cancellation.signal);
      const wanted = stringsAt(objectAt(review, 'spec'), 'audiences');
      return identity ? statusOf(identity, wanted) : { user: {} };
    },
  });
}

function tokenOf(review: JsonObject): string {
  return stringAt(objectAt(review, 'spec'), 'token');
}

/**
 * The status of a review. A token without audiences is valid for this server only, so the result
 * names no audiences.
 */
function statusOf({ user, audiences = [] }: TokenIdentity, wanted: readonly string[]): JsonObject {
  const shared = wanted.filter((audience) => audiences.includes(audience));
  if (wanted.length > 0 && audiences.length > 0 && shared.length === 0) {
    return { user: {}, error: 'token audiences do not match any of the requested audiences' };
  }
  return {
    authenticated: true,
    user: userInfoFields(user),
    ...(shared.length === 0 ? {} : { audiences: shared }),
  };
}
