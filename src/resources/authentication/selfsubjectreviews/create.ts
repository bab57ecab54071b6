import { now } from '../../../meta/time.ts';
import type { VirtualCreate } from '../../../registry/virtual-create.ts';
import { virtualCreate } from '../../virtual-resource.ts';
import { userInfoFields } from '../user-info-fields.ts';

const review = virtualCreate({
  group: 'authentication',
  kind: 'SelfSubjectReview',
  validate: () => [],
  answer: async (_, { user }) => ({ userInfo: userInfoFields(user) }),
});

/**
 * The handler of SelfSubjectReviews: the user of the request, after impersonation. The metadata of
 * the request are not returned.
 */
export const selfSubjectReview: VirtualCreate = async (scope, object, options) => ({
  ...(await review(scope, object, options)),
  metadata: { creationTimestamp: now() },
});
