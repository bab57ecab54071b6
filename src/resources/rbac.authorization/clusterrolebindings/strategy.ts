import type { Strategy } from '../../../registry/strategy.ts';
import { roleBindingStrategy } from '../../rules/rbac/role-binding.ts';

/** Bindings of roles in the cluster. */
export const strategy: Strategy = roleBindingStrategy('cluster');
