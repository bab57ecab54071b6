import type { UserInfo as ReviewedUser } from '../../../gen/stored/authentication-v1.ts';
import { now } from '../../../meta/time.ts';
import type { UserInfo } from '../../../meta/user-info.ts';
import type { VirtualCreate } from '../../../registry/definition/virtual-create.ts';
import { virtualCreate } from '../../virtual-resource.ts';

const review = virtualCreate({
  group: 'authentication',
  kind: 'SelfSubjectReview',
  validate: () => [],
  answer: async (_, { user }) => ({ userInfo: reviewedUser(user) }),
});

/**
 * The handler of SelfSubjectReviews: the user of the request, after impersonation. The metadata of
 * the request are not returned.
 */
export const selfSubjectReview: VirtualCreate = async (scope, object, options) => ({
  ...(await review(scope, object, options)),
  metadata: { creationTimestamp: now() },
});

/** A user as reviews show it; fields without a value are left out. */
export function reviewedUser({ username, uid, groups, extra }: UserInfo): ReviewedUser {
  const entries = Object.entries(extra).map(([key, values]): [string, string[]] => [key, [...values]]);
  return {
    username,
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(entries.length === 0 ? {} : { extra: Object.fromEntries(entries) }),
  };
}
