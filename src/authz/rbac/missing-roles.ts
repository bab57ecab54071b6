import type { UserInfo } from '../../meta/user-info.ts';
import type { RbacIndex } from './rbac-index.ts';

/** Reports roles that do not exist although bindings refer to them, as kube-apiserver does. */
export function missingRolesOf(index: RbacIndex, user: UserInfo, namespace: string, group: string): readonly string[] {
  return index
    .missingRoles(user, namespace)
    .map(({ kind, name }) => `${kind}.${group} ${JSON.stringify(name)} not found`);
}
