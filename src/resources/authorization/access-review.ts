import type { AuthorizationAttributes, AuthorizationDecision } from '../../authz/authorizer.ts';
import type {
  SubjectAccessReview,
  SubjectAccessReviewSpec,
  SubjectAccessReviewStatus,
} from '../../gen/stored/authorization-v1.ts';
import type { UserInfo } from '../../meta/user-info.ts';
import type { VirtualCreate } from '../../registry/definition/virtual-create.ts';
import { FieldCursor } from '../../status/field-cursor.ts';
import { invalid } from '../../status/field-error.ts';
import { badRequest } from '../../status/status-error.ts';
import { virtualCreate } from '../virtual-resource.ts';
import { checkSelectors, reviewedSelectors } from './reviewed-selectors.ts';

/** Decides reviews with the server's own authorizers. */
export interface AccessReviewer {
  /** True if authorizers see the selectors of reviews. */
  readonly withSelectors: boolean;
  authorize(attributes: AuthorizationAttributes): Promise<AuthorizationDecision>;
  /** Explains the decision; undefined if `asker` may not read the rules behind it. */
  explain(attributes: AuthorizationAttributes, asker: UserInfo): Promise<string | undefined>;
}

/** A review of one of the three kinds. In v1beta1 its groups are in `group` (spec 9.3). */
interface Review extends Pick<SubjectAccessReview, 'metadata'> {
  readonly spec: SubjectAccessReviewSpec & { group?: string[] };
}

/** The differences between the kinds. */
interface ReviewKind {
  readonly kind: string;
  /** The user in question. */
  readonly userOf: (review: Review, asker: UserInfo) => UserInfo;
  /** Checks everything but the attributes. */
  readonly check: (review: FieldCursor<Review>, namespace: string) => void;
  /** Throws 400 if a valid review is not for the namespace of the request. */
  readonly requireNamespace?: (review: Review, namespace: string) => void;
}

/**
 * Creates the handler of SelfSubjectAccessReviews (spec 5.10): whether the requesting user may do
 * something.
 */
export function selfSubjectAccessReview(reviewer: AccessReviewer): VirtualCreate {
  return accessReview(reviewer, {
    kind: 'SelfSubjectAccessReview',
    userOf: (_, asker) => asker,
    check: (review) => checkMetadata(review),
  });
}

/** Creates the handler of SubjectAccessReviews (spec 2.1): whether a user may do something. */
export function subjectAccessReview(reviewer: AccessReviewer): VirtualCreate {
  return accessReview(reviewer, {
    kind: 'SubjectAccessReview',
    userOf: reviewedUser,
    check: (review) => {
      checkUser(review);
      checkMetadata(review);
    },
  });
}

/**
 * Creates the handler of LocalSubjectAccessReviews: whether a user may do something in one
 * namespace. Its creator learns nothing about other namespaces.
 */
export function localSubjectAccessReview(reviewer: AccessReviewer): VirtualCreate {
  return accessReview(reviewer, {
    kind: 'LocalSubjectAccessReview',
    userOf: reviewedUser,
    check: (review, namespace) => {
      checkUser(review);
      checkMetadata(review, ['namespace']);
      checkNamespace(review, namespace);
    },
    requireNamespace({ spec }, namespace) {
      if (spec.resourceAttributes?.namespace === namespace) return;
      throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`);
    },
  });
}

function accessReview(reviewer: AccessReviewer, { kind, userOf, check, requireNamespace }: ReviewKind): VirtualCreate {
  return virtualCreate<Review>({
    group: 'authorization',
    kind,
    validate: (review, { namespace }) => {
      const cursor = new FieldCursor(review);
      checkAttributes(cursor.at('spec'));
      if (reviewer.withSelectors) checkSelectors(cursor.at('spec').at('resourceAttributes'));
      check(cursor, namespace);
      return cursor.errors;
    },
    answer: async (review, { user, namespace }) => {
      requireNamespace?.(review, namespace);
      const attributes = attributesOf(review, userOf(review, user));
      const { resourceAttributes: resource } = review.spec;
      if (!resource || !reviewer.withSelectors) return statusOf(await reviewer.authorize(attributes));
      const { selectors, problems } = reviewedSelectors(resource);
      return statusOf(withProblems(await reviewer.authorize({ ...attributes, ...selectors }), problems));
    },
    explain: (review, { user }) => reviewer.explain(attributesOf(review, userOf(review, user)), user),
  });
}

/** Checks that a review has attributes either of a resource or of a path. */
function checkAttributes(spec: FieldCursor<Review['spec']>): void {
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec.value;
  if (resource && path) {
    spec.at('nonResourceAttributes').reportInvalid('cannot be specified in combination with resourceAttributes');
  }
  if (resource || path) return;
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  spec.at('resourceAttributes').reportInvalid(why, null);
}

/**
 * Checks that a review has no metadata but `managedFields` and the fields in `allowed`, as
 * kube-apiserver does: a review is no object, so a name or a label would be a mistake. Empty values
 * count as absent.
 */
function checkMetadata(review: FieldCursor<Review>, allowed: readonly string[] = []): void {
  const isUnexpected = Object.entries(review.value.metadata).some(
    ([name, value]) => name !== 'managedFields' && !allowed.includes(name) && !isEmpty(value),
  );
  const exception = allowed.length === 0 ? '' : ` except for ${allowed.join(', ')}`;
  if (isUnexpected) review.at('metadata').reportInvalid(`must be empty${exception}`);
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return !value;
  return Object.keys(value).length === 0;
}

/** Checks that a review names a user or a group. */
function checkUser(review: FieldCursor<Review>): void {
  const { username, groups } = reviewedUser(review.value);
  if (username === '' && groups.length === 0) {
    review.report(invalid('spec.user', '', 'at least one of user or group must be specified'));
  }
}

/**
 * Checks that the review asks about the namespace of its metadata. If its metadata have none, it
 * may also ask about the namespace of the request.
 */
function checkNamespace(review: FieldCursor<Review>, namespace: string): void {
  const spec = review.at('spec');
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec.value;
  const { namespace: written = '' } = review.value.metadata;
  const { namespace: asked = '' } = resource ?? {};
  const isFilledIn = written === '' && asked === namespace;
  if (resource && asked !== written && !isFilledIn) {
    spec.at('resourceAttributes').at('namespace').reportInvalid('must match metadata.namespace');
  }
  if (path) spec.at('nonResourceAttributes').reportInvalid('disallowed on this kind of request');
}

/** The attributes of a review, as authorizers take them. */
function attributesOf({ spec }: Review, user: UserInfo): AuthorizationAttributes {
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec;
  return {
    user,
    verb: (resource ?? path)?.verb ?? '',
    resourceRequest: resource !== undefined,
    apiGroup: resource?.group ?? '',
    apiVersion: resource?.version ?? '',
    resource: resource?.resource ?? '',
    subresource: resource?.subresource ?? '',
    namespace: resource?.namespace ?? '',
    name: resource?.name ?? '',
    path: path?.path ?? '',
  };
}

/** The user in a review. */
function reviewedUser({ spec }: Review): UserInfo {
  return {
    username: spec.user ?? '',
    uid: spec.uid ?? '',
    groups: spec.groups ?? spec.group ?? [],
    // Keys are in lower case, like keys from request headers.
    extra: Object.fromEntries(Object.entries(spec.extra ?? {}).map(([key, values]) => [key.toLowerCase(), values])),
  };
}

/** Adds problems to the evaluation error of a decision. */
function withProblems(decision: AuthorizationDecision, problems: readonly string[]): AuthorizationDecision {
  const errors = [...(decision.evaluationError ? [decision.evaluationError] : []), ...problems];
  return problems.length === 0 ? decision : { ...decision, evaluationError: errors.join('; ') };
}

/** The status of a review. Without an opinion nothing is allowed, but nothing is denied either. */
function statusOf({ decision, reason, evaluationError = '' }: AuthorizationDecision): SubjectAccessReviewStatus {
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' ? { denied: true } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(evaluationError === '' ? {} : { evaluationError }),
  };
}
