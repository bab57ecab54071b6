import type { Authorizer } from './authorizer.ts';

/** `--authorization-mode=AlwaysAllow`: everybody may do everything. */
export const alwaysAllow: Authorizer = Object.freeze({
  name: 'AlwaysAllow',
  authorize: () => ({ decision: 'allow', reason: '' }) as const,
});
