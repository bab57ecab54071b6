import type { UserInfo } from '../meta/user-info.ts';
import type { Authorizer } from './authorizer.ts';
import { membersOf } from './replaceable-authorizers.ts';
import type { UserRules } from './user-rules.ts';

/**
 * The rules of a user in a namespace from all authorizers, each once. Incomplete if one of them
 * cannot list its rules.
 */
export async function listRules(
  authorizers: readonly Authorizer[],
  user: UserInfo,
  namespace: string,
): Promise<UserRules> {
  const all = await Promise.all(
    membersOf(authorizers).map(async (authorizer) => await rulesOf(authorizer, user, namespace)),
  );
  const errors = all.flatMap(({ evaluationError }) => (evaluationError === '' ? [] : [evaluationError]));
  return {
    resourceRules: distinct(all.flatMap(({ resourceRules }) => resourceRules)),
    nonResourceRules: distinct(all.flatMap(({ nonResourceRules }) => nonResourceRules)),
    incomplete: all.some(({ incomplete }) => incomplete),
    evaluationError: errors.length > 1 ? `[${errors.join(', ')}]` : (errors[0] ?? ''),
  };
}

function rulesOf(authorizer: Authorizer, user: UserInfo, namespace: string): UserRules | Promise<UserRules> {
  const evaluationError = `${authorizer.name.toLowerCase()} authorizer does not support user rule resolution`;
  return (
    authorizer.rulesFor?.(user, namespace) ?? {
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      evaluationError,
    }
  );
}

function distinct<Rule>(rules: readonly Rule[]): readonly Rule[] {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}
