import type { Strategy } from '../../../registry/strategy.ts';
import { roleStrategy } from '../../rules/rbac/role.ts';

/** The strategy of roles. */
export const strategy: Strategy = roleStrategy('namespace');
