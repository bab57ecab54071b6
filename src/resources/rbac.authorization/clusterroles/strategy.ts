import type { Strategy } from '../../../registry/strategy.ts';
import { roleStrategy } from '../../rules/rbac/role.ts';

/** Roles of the cluster. */
export const strategy: Strategy = roleStrategy('cluster');
