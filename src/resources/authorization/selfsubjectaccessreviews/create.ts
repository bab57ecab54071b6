import type { VirtualCreate } from '../../../registry/virtual-create.ts';
import { virtualCreate } from '../../virtual-resource.ts';
import { type Authorize, attributeErrors, attributesOf, statusOf } from '../access-review.ts';

/**
 * Creates the handler of SelfSubjectAccessReviews (spec 5.10): whether the requesting user may do
 * something.
 */
export function selfSubjectAccessReview(authorize: Authorize): VirtualCreate {
  return virtualCreate({
    group: 'authorization',
    kind: 'SelfSubjectAccessReview',
    validate: attributeErrors,
    answer: async (review, { user }) => statusOf(await authorize(attributesOf(review, user))),
  });
}
