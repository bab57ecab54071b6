import { builtIn, createOnly } from '../../built-in.ts';

/** The resource `selfsubjectrulesreviews` of the group `authorization`. */
export const selfSubjectRulesReviews = builtIn({
  group: 'authorization',
  resource: 'selfsubjectrulesreviews',
  kind: 'SelfSubjectRulesReview',
  versions: {
    v1: { introduced: '1.8' },
    v1beta1: { introduced: '1.8', deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' } },
  },
  verbs: createOnly,
});
