import type { ClusterRole } from '../../../gen/stored/rbac-authorization-v1.ts';
import { builtIn } from '../../built-in.ts';
import { roleStrategy } from '../../rules/rbac/role.ts';

/** The resource `clusterroles` of the group `rbac.authorization`. */
export const clusterRoles = builtIn<ClusterRole>({
  group: 'rbac.authorization',
  resource: 'clusterroles',
  kind: 'ClusterRole',
  versions: {
    v1: { introduced: '1.8' },
    v1beta1: { introduced: '1.6', deprecated: { since: '1.17', removed: '1.22', replacement: 'v1' } },
  },
  strategy: roleStrategy('cluster'),
});
