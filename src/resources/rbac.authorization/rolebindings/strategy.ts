import type { Strategy } from '../../../registry/strategy.ts';
import { roleBindingStrategy } from '../../rules/rbac/role-binding.ts';

/** Bindings of roles in a namespace. */
export const strategy: Strategy = roleBindingStrategy('namespace');
