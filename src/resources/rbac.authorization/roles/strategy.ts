import type { Strategy } from '../../../registry/strategy.ts';
import { roleStrategy } from '../../rules/role.ts';

/** Roles of a namespace. */
export const strategy: Strategy = roleStrategy('namespace');
