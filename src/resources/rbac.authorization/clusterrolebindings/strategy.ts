import type { Strategy } from '../../../registry/strategy.ts';
import { roleBindingStrategy } from '../../rules/role-binding.ts';

/** Bindings of roles in the cluster. */
export const strategy: Strategy = roleBindingStrategy('cluster');
