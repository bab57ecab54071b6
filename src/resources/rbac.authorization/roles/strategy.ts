import type { Strategy } from '../../../registry/strategy.ts';
import { roleStrategy } from '../../rules/rbac/role.ts';

/** Roles of a namespace. */
export const strategy: Strategy = roleStrategy('namespace');
