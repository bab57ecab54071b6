import type { VirtualCreate } from '../../../registry/virtual-create.ts';
import { virtualCreate } from '../../virtual-resource.ts';
import { type AccessReviewer, attributeErrors, attributesOf, metadataErrors, statusOf } from '../access-review.ts';

/**
 * Creates the handler of SelfSubjectAccessReviews (spec 5.10): whether the requesting user may do
 * something.
 */
export function selfSubjectAccessReview(reviewer: AccessReviewer): VirtualCreate {
  return virtualCreate({
    group: 'authorization',
    kind: 'SelfSubjectAccessReview',
    validate: (review) => [...attributeErrors(review), ...metadataErrors(review)],
    answer: async (review, { user }) => statusOf(await reviewer.authorize(attributesOf(review, user))),
    explain: (review, { user }) => reviewer.explain(attributesOf(review, user), user),
  });
}
