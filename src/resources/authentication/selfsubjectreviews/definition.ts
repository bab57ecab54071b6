import { builtIn, createOnly } from '../../built-in.ts';

/**
 * The resource `selfsubjectreviews` of the group `authentication`. Version v1 is of release 1.28;
 * it is served since the default release, because `kubectl auth whoami` of later releases needs it.
 */
export const selfSubjectReviews = builtIn({
  group: 'authentication',
  resource: 'selfsubjectreviews',
  kind: 'SelfSubjectReview',
  versions: {
    v1: { introduced: '1.23' },
    v1beta1: {
      introduced: '1.27',
      optIn: true,
      gate: 'APISelfSubjectReview',
      deprecated: { since: '1.30', removed: '1.33' },
    },
    v1alpha1: { introduced: '1.26', gate: 'APISelfSubjectReview', deprecated: { since: '1.29', removed: '1.32' } },
  },
  verbs: createOnly,
});
