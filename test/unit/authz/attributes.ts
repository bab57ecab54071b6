import type { AuthorizationAttributes } from '../../../src/authz/authorizer.ts';

/** A user with these groups. */
export function user(username: string, ...groups: readonly string[]): AuthorizationAttributes['user'] {
  return { username, uid: '', groups, extra: {} };
}

/** The attributes of a GET of a pod `p`, with these differences. */
export function attributes(rest: Partial<AuthorizationAttributes> = {}): AuthorizationAttributes {
  return {
    user: user('ann'),
    verb: 'get',
    resourceRequest: true,
    apiGroup: '',
    apiVersion: 'v1',
    resource: 'pods',
    subresource: '',
    namespace: 'default',
    name: 'p',
    path: '',
    ...rest,
  };
}
