import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { roleStrategy } from '../../rules/role.ts';

/** Roles of the cluster. */
export const definition: ResourceDefinition = {
  group: 'rbac.authorization',
  resource: 'clusterroles',
  strategy: roleStrategy('cluster'),
};
