import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { roleBindingStrategy } from '../../rules/role-binding.ts';

/** Bindings of roles in a namespace. */
export const definition: ResourceDefinition = {
  group: 'rbac.authorization',
  resource: 'rolebindings',
  strategy: roleBindingStrategy('namespace'),
};
