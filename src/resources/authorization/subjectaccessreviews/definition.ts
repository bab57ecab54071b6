import { builtIn, createOnly } from '../../built-in.ts';
import { reviewConversions } from '../convert.ts';

/** The resource `subjectaccessreviews` of the group `authorization`. */
export const subjectAccessReviews = builtIn({
  group: 'authorization',
  resource: 'subjectaccessreviews',
  kind: 'SubjectAccessReview',
  versions: {
    v1: { introduced: '1.6' },
    v1beta1: {
      introduced: '1.2',
      deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' },
      conversion: reviewConversions['authorization/v1beta1'],
    },
  },
  verbs: createOnly,
});
