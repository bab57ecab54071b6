import { getOwn, isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { isTrue, objectAt, stringAt } from '../../meta/read-field.ts';
import type { UserInfo } from '../../meta/user-info.ts';
import type { AuthorizationAttributes, AuthorizationDecision } from '../authorizer.ts';
import type { LabelOperator } from '../../meta/label-demand.ts';
import type { RequestSelectors } from '../request-selectors.ts';

/** The versions of SubjectAccessReview. */
export const reviewVersions = ['v1beta1', 'v1'] as const;

/** A version of SubjectAccessReview. */
export type ReviewVersion = (typeof reviewVersions)[number];

/** The field of a user's groups, which v1 renamed (spec 9.3). */
const groupsField: Readonly<Record<ReviewVersion, string>> = { v1beta1: 'group', v1: 'groups' };

/** The spec of a review. Empty fields are omitted, as kube-apiserver does. */
export function reviewSpec(attributes: AuthorizationAttributes, version: ReviewVersion): JsonObject {
  const subject: JsonObject = attributes.resourceRequest
    ? { resourceAttributes: resourceAttributes(attributes) }
    : { nonResourceAttributes: withoutEmpty({ path: attributes.path, verb: attributes.verb }) };
  return { ...subject, ...userFields(attributes.user, version) };
}

/**
 * The spec of a review as match conditions see it: in v1, with empty fields, so that conditions
 * need not ask for the presence of each. One of the two kinds of attributes is absent.
 */
export function matchedRequest(attributes: AuthorizationAttributes): JsonObject {
  const { namespace, verb, apiGroup: group, apiVersion: version, resource, subresource, name, path } = attributes;
  const { username: user, uid, groups, extra } = attributes.user;
  const subject: JsonObject = attributes.resourceRequest
    ? {
        resourceAttributes: {
          namespace,
          verb,
          group,
          version,
          resource,
          subresource,
          name,
          ...selectorAttributes(attributes),
        },
      }
    : { nonResourceAttributes: { path, verb } };
  const extraValues = Object.entries(extra).map(([key, values]): [string, string[]] => [key, [...values]]);
  return { ...subject, user, uid, groups: [...groups], extra: Object.fromEntries(extraValues) };
}

function resourceAttributes(attributes: AuthorizationAttributes): JsonObject {
  const { namespace, verb, apiGroup: group, apiVersion: version, resource, subresource, name } = attributes;
  return {
    ...withoutEmpty({ namespace, verb, group, version, resource, subresource, name }),
    ...selectorAttributes(attributes),
  };
}

function userFields({ username: user, uid, groups, extra }: UserInfo, version: ReviewVersion): JsonObject {
  const extraKeys = Object.keys(extra);
  return {
    ...withoutEmpty({ user }),
    ...(groups.length > 0 ? { [groupsField[version]]: [...groups] } : {}),
    ...(extraKeys.length > 0
      ? { extra: Object.fromEntries(extraKeys.map((key) => [key, [...(extra[key] ?? [])]])) }
      : {}),
    ...withoutEmpty({ uid }),
  };
}

function withoutEmpty(fields: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

/** The review with a spec, as kube-apiserver sends it. */
export function reviewOf(spec: JsonObject, apiVersion: string): JsonObject {
  return {
    kind: 'SubjectAccessReview',
    apiVersion,
    metadata: { creationTimestamp: null },
    spec,
    status: { allowed: false },
  };
}

/**
 * The decision in a review that a webhook returned. Throws an Error for anything else than a
 * review of this version with a status: it decides nothing.
 */
export function decisionIn(review: JsonObject, apiVersion: string): AuthorizationDecision {
  if (stringAt(review, 'kind') !== 'SubjectAccessReview' || stringAt(review, 'apiVersion') !== apiVersion) {
    throw new Error(`the answer is not a SubjectAccessReview of ${apiVersion}`);
  }
  const status = objectAt(review, 'status');
  if (!isJsonObject(getOwn(review, 'status')) || typeof getOwn(status, 'allowed') !== 'boolean') {
    throw new Error('the answer has no status');
  }
  const reason = stringAt(status, 'reason');
  const allowed = isTrue(status, 'allowed');
  if (!isTrue(status, 'denied')) return { decision: allowed ? 'allow' : 'no-opinion', reason };
  if (!allowed) return { decision: 'deny', reason };
  const evaluationError = 'webhook subject access review returned both allow and deny response';
  return { decision: 'deny', reason, evaluationError };
}

/**
 * The operators of label requirements that a review can express. Others are left out: the review
 * then asks for access to more objects.
 */
const labelOperators: Readonly<Partial<Record<LabelOperator, string>>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

/**
 * The selectors of a request as `fieldSelector` and `labelSelector` of a review, if there are any.
 */
function selectorAttributes({ fieldSelector = [], labelSelector = [] }: RequestSelectors): JsonObject {
  const fields = fieldSelector.map(({ field: key, operator, value }): JsonObject => {
    return { key, operator: operator === '=' ? 'In' : 'NotIn', values: [value] };
  });
  const labels = labelSelector.flatMap(({ key, operator, values }): JsonObject[] => {
    const name = labelOperators[operator];
    if (name === undefined) return [];
    return [{ key, operator: name, ...(values.length > 0 ? { values: [...values] } : {}) }];
  });
  return {
    ...(fields.length > 0 ? { fieldSelector: { requirements: fields } } : {}),
    ...(labels.length > 0 ? { labelSelector: { requirements: labels } } : {}),
  };
}
