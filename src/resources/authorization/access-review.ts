import type { AuthorizationAttributes, AuthorizationDecision } from '../../authz/authorizer.ts';
import type { UserInfo } from '../../meta/user-info.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { type FieldError, invalid, invalidShown } from '../../status/field-error.ts';
import { goStruct, goStructs } from '../../status/go-syntax.ts';
import { isSet, objectAt, stringAt, stringsAt } from '../../meta/read-field.ts';

/** Decides as the server itself would for a request with these attributes. */
export type Authorize = (attributes: AuthorizationAttributes) => Promise<AuthorizationDecision>;

/** A question is about a resource or about a path, and about one of them. */
export function attributeErrors(review: JsonObject): FieldError[] {
  const spec = objectAt(review, 'spec');
  const hasResource = isSet(spec, 'resourceAttributes');
  const hasPath = isSet(spec, 'nonResourceAttributes');
  if (hasResource && hasPath) {
    return [
      invalidShown(
        'spec.nonResourceAttributes',
        goStruct(goStructs.nonResourceAttributes, objectAt(spec, 'nonResourceAttributes')),
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

/** The question as the authorizers understand it. */
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

/** The user that a question names; v1beta1 spells `groups` as `group` (spec 9.3). */
export function reviewedUser(review: JsonObject, version: string): UserInfo {
  const spec = objectAt(review, 'spec');
  const extra = objectAt(spec, 'extra');
  return {
    username: stringAt(spec, 'user'),
    uid: stringAt(spec, 'uid'),
    groups: stringsAt(spec, version === 'v1beta1' ? 'group' : 'groups'),
    // Attributes of a user are known in lower case, as they come in headers.
    extra: Object.fromEntries(Object.keys(extra).map((key) => [key.toLowerCase(), stringsAt(extra, key)])),
  };
}

/** A question about a user names one. */
export function userErrors(review: JsonObject, version: string): FieldError[] {
  const { username, groups } = reviewedUser(review, version);
  return username === '' && groups.length === 0
    ? [invalid('spec.user', '', 'at least one of user or group must be specified')]
    : [];
}

/** The answer in `status`. `denied` is left out: what nobody allows and what somebody forbids look the same here. */
export function statusOf({ decision, reason }: AuthorizationDecision): JsonObject {
  return {
    allowed: decision === 'allow',
    ...(reason === '' ? {} : { reason }),
  };
}
