import { builtIn, createOnly } from '../../built-in.ts';
import { reviewConversions } from '../convert.ts';

/** The resource `localsubjectaccessreviews` of the group `authorization`. */
export const localSubjectAccessReviews = builtIn({
  group: 'authorization',
  resource: 'localsubjectaccessreviews',
  kind: 'LocalSubjectAccessReview',
  namespaced: true,
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
