import type { TokenReview, TokenReviewStatus } from '../../../gen/stored/authentication-v1.ts';
import type { UserInfo } from '../../../meta/user-info.ts';
import type { RequestScope } from '../../../registry/definition/registry.ts';
import type { VirtualCreate } from '../../../registry/definition/virtual-create.ts';
import { badRequest } from '../../../status/status-error.ts';
import { virtualCreate } from '../../virtual-resource.ts';
import { reviewedUser } from '../selfsubjectreviews/self-subject-review.ts';

/** The result of a token's authentication. */
type TokenIdentity =
  /** `audiences` has the audiences that both the token and the review name. */
  | { readonly user: UserInfo; readonly audiences: readonly string[] }
  /** The reason why the token is refused. */
  | { readonly error: string };

/** Authenticates a token for some audiences; for the audiences of this server if there are none. */
export type AuthenticateToken = (
  token: string,
  audiences: readonly string[],
  scope: ReviewScope,
) => Promise<TokenIdentity>;

/** The review's own request. */
type ReviewScope = Pick<RequestScope, 'annotate' | 'cancellation' | 'warn'>;

/**
 * Creates the handler of TokenReviews (spec 2.6), which reports the validity and the user of a
 * token. An invalid token is a result, not an error.
 */
export function createTokenReview(authenticate: AuthenticateToken): VirtualCreate {
  return virtualCreate<TokenReview>({
    group: 'authentication',
    kind: 'TokenReview',
    validate: ({ spec }) => {
      // kube-apiserver does not answer this one as a field error.
      if (!spec.token) throw badRequest('token is required for TokenReview in authentication');
      return [];
    },
    answer: async ({ spec }, scope) => statusOf(await authenticate(spec.token ?? '', spec.audiences ?? [], scope)),
  });
}

function statusOf(identity: TokenIdentity): TokenReviewStatus {
  if ('error' in identity) return { user: {}, error: identity.error };
  const { user, audiences } = identity;
  return { authenticated: true, user: reviewedUser(user), audiences: [...audiences] };
}
