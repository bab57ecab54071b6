import { builtIn, createOnly } from '../../built-in.ts';

/** The resource `tokenreviews` of the group `authentication`. */
export const tokenReviews = builtIn({
  group: 'authentication',
  resource: 'tokenreviews',
  kind: 'TokenReview',
  versions: {
    v1: { introduced: '1.6' },
    v1beta1: { introduced: '1.4', deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' } },
  },
  verbs: createOnly,
});
