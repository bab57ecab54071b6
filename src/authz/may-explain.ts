import type { Identifiers } from '../identifiers/identifiers.ts';
import type { UserInfo } from '../meta/user-info.ts';
import type { Authorizer } from './authorizer.ts';
import { authorize } from './union.ts';

const kinds = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'] as const;

/**
 * Reports whether a user may see why requests are decided as they are: one who may list all roles
 * and bindings learns nothing new from that.
 */
export async function mayExplain(
  authorizers: readonly Authorizer[],
  { apiDomain }: Identifiers,
  user: UserInfo,
): Promise<boolean> {
  const list = { verb: 'list', resourceRequest: true, apiGroup: `rbac.authorization.${apiDomain}`, apiVersion: 'v1' };
  const anywhere = { subresource: '', namespace: '', name: '', path: '' };
  for (const resource of kinds) {
    const { decision } = await authorize(authorizers, { ...list, ...anywhere, resource, user });
    if (decision !== 'allow') return false;
  }
  return true;
}
