import type { Authorizer } from './authorizer.ts';

/**
 * `--authorization-mode=AlwaysDeny`: nobody may do anything. It has no opinion rather than a veto, so that a module
 * behind it can still allow.
 */
export const alwaysDeny: Authorizer = Object.freeze({
  name: 'AlwaysDeny',
  authorize: () => ({ decision: 'no-opinion', reason: 'Everything is forbidden.' }) as const,
});
