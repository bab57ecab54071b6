import { noRules } from './user-rules.ts';
import type { Authorizer } from './authorizer.ts';

/**
 * `--authorization-mode=AlwaysDeny`: allows nothing. It has no opinion instead of denying, so
 * that a later authorizer can allow.
 */
export const alwaysDenyAuthorizer: Authorizer = Object.freeze({
  name: 'AlwaysDeny',
  authorize: () => ({ decision: 'no-opinion', reason: 'Everything is forbidden.' }) as const,
  rulesFor: () => noRules,
});
