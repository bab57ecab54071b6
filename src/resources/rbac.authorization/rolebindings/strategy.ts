import type { Strategy } from '../../../registry/strategy.ts';
import { roleBindingStrategy } from '../../rules/rbac/role-binding.ts';

/** The strategy of role bindings. */
export const strategy: Strategy = roleBindingStrategy('namespace');
