import type { Role } from '../../../gen/stored/rbac-authorization-v1.ts';
import { builtIn } from '../../built-in.ts';
import { roleStrategy } from '../../rules/rbac/role.ts';

/** The resource `roles` of the group `rbac.authorization`. */
export const roles = builtIn<Role>({
  group: 'rbac.authorization',
  resource: 'roles',
  kind: 'Role',
  namespaced: true,
  versions: {
    v1: { introduced: '1.8' },
    v1beta1: { introduced: '1.6', deprecated: { since: '1.17', removed: '1.22', replacement: 'v1' } },
  },
  strategy: roleStrategy('namespace'),
});
