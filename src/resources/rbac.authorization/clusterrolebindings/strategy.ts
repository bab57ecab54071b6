import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { roleBindingStrategy } from '../../rules/role-binding.ts';

/** Bindings of roles in the cluster. */
export const definition: ResourceDefinition = {
  group: 'rbac.authorization',
  resource: 'clusterrolebindings',
  strategy: roleBindingStrategy('cluster'),
};
