import { builtIn, createOnly } from '../../built-in.ts';

/** The resource `selfsubjectaccessreviews` of the group `authorization`. */
export const selfSubjectAccessReviews = builtIn({
  group: 'authorization',
  resource: 'selfsubjectaccessreviews',
  kind: 'SelfSubjectAccessReview',
  versions: {
    v1: { introduced: '1.6' },
    v1beta1: { introduced: '1.4', deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' } },
  },
  verbs: createOnly,
});
