import { allRules } from './user-rules.ts';
import type { Authorizer } from './authorizer.ts';

/** `--authorization-mode=AlwaysAllow`: allows every request. */
export const alwaysAllowAuthorizer: Authorizer = Object.freeze({
  name: 'AlwaysAllow',
  authorize: () => ({ decision: 'allow', reason: '' }) as const,
  rulesFor: () => allRules,
});
