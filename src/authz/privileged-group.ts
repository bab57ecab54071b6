import type { Authorizer } from './authorizer.ts';
import { allRules, noRules } from './user-rules.ts';

/**
 * Allows everything to the members of a group, and has no opinion on others. kube-apiserver asks
 * this for `system:masters` before every authorization mode, so that a policy cannot exclude the
 * administrators.
 */
export function privilegedGroup(group: string): Authorizer {
  const allow = { decision: 'allow', reason: '' } as const;
  const noOpinion = { decision: 'no-opinion', reason: '' } as const;
  return {
    name: 'PrivilegedGroup',
    authorize: ({ user }) => (user.groups.includes(group) ? allow : noOpinion),
    rulesFor: (user) => (user.groups.includes(group) ? allRules : noRules),
  };
}
