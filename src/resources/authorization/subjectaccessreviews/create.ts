import type { VirtualCreate } from '../../../registry/virtual-create.ts';
import { virtualCreate } from '../../virtual-resource.ts';
import { type Authorize, attributeErrors, attributesOf, reviewedUser, statusOf, userErrors } from '../access-review.ts';

/** Creates the handler of SubjectAccessReviews (spec 2.1): whether a user may do something. */
export function subjectAccessReview(authorize: Authorize): VirtualCreate {
  return virtualCreate({
    group: 'authorization',
    kind: 'SubjectAccessReview',
    validate: (review, { version }) => [...attributeErrors(review), ...userErrors(review, version)],
    answer: async (review, { version }) =>
      statusOf(await authorize(attributesOf(review, reviewedUser(review, version)))),
  });
}
