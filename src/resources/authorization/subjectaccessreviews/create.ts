import type { VirtualCreate } from '../../../registry/virtual-create.ts';
import { virtualCreate } from '../../virtual-resource.ts';
import { type Authorize, attributeErrors, attributesOf, reviewedUser, statusOf, userErrors } from '../access-review.ts';

/** SubjectAccessReview (spec 2.1): may this user do this? */
export function subjectAccessReview(authorize: Authorize): VirtualCreate {
  return virtualCreate({
    group: 'authorization',
    kind: 'SubjectAccessReview',
    validate: (review, { version }) => [...attributeErrors(review), ...userErrors(review, version)],
    answer: async (review, { version }) =>
      statusOf(await authorize(attributesOf(review, reviewedUser(review, version)))),
  });
}
