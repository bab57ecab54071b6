import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { roleStrategy } from '../../rules/role.ts';

/** Roles of a namespace. */
export const definition: ResourceDefinition = {
  group: 'rbac.authorization',
  resource: 'roles',
  strategy: roleStrategy('namespace'),
};
