import type { ClusterRoleBinding } from '../../../gen/stored/rbac-authorization-v1.ts';
import { builtIn } from '../../built-in.ts';
import { roleBinding, roleBindingStrategy } from '../../rules/rbac/role-binding-strategy.ts';

/** The resource `clusterrolebindings` of the group `rbac.authorization`. */
export const clusterRoleBindings = builtIn<ClusterRoleBinding>({
  group: 'rbac.authorization',
  resource: 'clusterrolebindings',
  kind: 'ClusterRoleBinding',
  versions: {
    v1: { introduced: '1.8' },
    v1beta1: { introduced: '1.6', deprecated: { since: '1.17', removed: '1.22', replacement: 'v1' } },
  },
  columns: roleBinding,
  strategy: roleBindingStrategy('cluster'),
});
