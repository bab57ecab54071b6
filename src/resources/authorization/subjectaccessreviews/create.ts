import type { VirtualCreate } from '../../../registry/virtual-create.ts';
import { virtualCreate } from '../../virtual-resource.ts';
import {
  type AccessReviewer,
  attributeErrors,
  attributesOf,
  metadataErrors,
  reviewedUser,
  statusOf,
  userErrors,
} from '../access-review.ts';

/** Creates the handler of SubjectAccessReviews (spec 2.1): whether a user may do something. */
export function subjectAccessReview(reviewer: AccessReviewer): VirtualCreate {
  return virtualCreate({
    group: 'authorization',
    kind: 'SubjectAccessReview',
    validate: (review, { version }) => [
      ...attributeErrors(review),
      ...userErrors(review, version),
      ...metadataErrors(review),
    ],
    answer: async (review, { version }) =>
      statusOf(await reviewer.authorize(attributesOf(review, reviewedUser(review, version)))),
    explain: (review, { version, user }) => reviewer.explain(attributesOf(review, reviewedUser(review, version)), user),
  });
}
