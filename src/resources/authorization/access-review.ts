import type { AuthorizationAttributes, AuthorizationDecision } from '../../authz/authorizer.ts';
import type { UserInfo } from '../../meta/user-info.ts';
import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { isSet, objectAt, stringAt, stringsAt } from '../../meta/read-field.ts';

/** Decides reviews with the server's own authorizers. */
export interface AccessReviewer {
  authorize(attributes: AuthorizationAttributes): Promise<AuthorizationDecision>;
  /** Explains the decision; undefined if `asker` may not read the rules behind it. */
  explain(attributes: AuthorizationAttributes, asker: UserInfo): Promise<string | undefined>;
}

/** Checks that a review has attributes either of a resource or of a path. */
export function attributeErrors(review: JsonObject): FieldError[] {
  const spec = objectAt(review, 'spec');
  const hasResource = isSet(spec, 'resourceAttributes');
  const hasPath = isSet(spec, 'nonResourceAttributes');
  if (hasResource && hasPath) {
    return [
      invalid(
        'spec.nonResourceAttributes',
        objectAt(spec, 'nonResourceAttributes'),
        'cannot be specified in combination with resourceAttributes',
      ),
    ];
  }
  return hasResource || hasPath
    ? []
    : [
        invalid(
          'spec.resourceAttributes',
          null,
          'exactly one of nonResourceAttributes or resourceAttributes must be specified',
        ),
      ];
}

/**
 * Checks that a review has no metadata but `managedFields` and those of `allowed`, as
 * kube-apiserver does: a review is no object, so a name or a label would be a mistake. Empty
 * values count as absent.
 */
export function metadataErrors(review: JsonObject, allowed: readonly string[] = []): FieldError[] {
  const metadata = objectAt(review, 'metadata');
  const unexpected = Object.entries(metadata).some(
    ([name, value]) => name !== 'managedFields' && !allowed.includes(name) && !isEmpty(value),
  );
  const exception = allowed.length === 0 ? '' : ` except for ${allowed.join(', ')}`;
  return unexpected ? [invalid('metadata', metadata, `must be empty${exception}`)] : [];
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return !value;
  return Object.keys(value).length === 0;
}

/** The attributes of a review, as authorizers take them. */
export function attributesOf(review: JsonObject, user: UserInfo): AuthorizationAttributes {
  const spec = objectAt(review, 'spec');
  const resource = objectAt(spec, 'resourceAttributes');
  const path = objectAt(spec, 'nonResourceAttributes');
  const resourceRequest = isSet(spec, 'resourceAttributes');
  return {
    user,
    verb: stringAt(resourceRequest ? resource : path, 'verb'),
    resourceRequest,
    apiGroup: stringAt(resource, 'group'),
    apiVersion: stringAt(resource, 'version'),
    resource: stringAt(resource, 'resource'),
    subresource: stringAt(resource, 'subresource'),
    namespace: stringAt(resource, 'namespace'),
    name: stringAt(resource, 'name'),
    path: stringAt(path, 'path'),
  };
}

/** The user in a review. In v1beta1 the field `groups` is named `group` (spec 9.3). */
export function reviewedUser(review: JsonObject, version: string): UserInfo {
  const spec = objectAt(review, 'spec');
  const extra = objectAt(spec, 'extra');
  return {
    username: stringAt(spec, 'user'),
    uid: stringAt(spec, 'uid'),
    groups: stringsAt(spec, version === 'v1beta1' ? 'group' : 'groups'),
    // Keys are in lower case, as those from request headers are.
    extra: Object.fromEntries(Object.keys(extra).map((key) => [key.toLowerCase(), stringsAt(extra, key)])),
  };
}

/** Checks that a review names a user or a group. */
export function userErrors(review: JsonObject, version: string): FieldError[] {
  const { username, groups } = reviewedUser(review, version);
  return username === '' && groups.length === 0
    ? [invalid('spec.user', '', 'at least one of user or group must be specified')]
    : [];
}

/** The status of a review. Without an opinion nothing is allowed, but nothing is denied either. */
export function statusOf({ decision, reason, evaluationError = '' }: AuthorizationDecision): JsonObject {
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' ? { denied: true } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(evaluationError === '' ? {} : { evaluationError }),
  };
}
