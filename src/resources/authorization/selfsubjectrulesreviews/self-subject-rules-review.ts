import type { NonResourceRule, ResourceRule, UserRules } from '../../../authz/user-rules.ts';
import type { SelfSubjectRulesReview } from '../../../gen/stored/authorization-v1.ts';
import type { JsonValue } from '../../../meta/json-value.ts';
import type { UserInfo } from '../../../meta/user-info.ts';
import type { VirtualCreate } from '../../../registry/definition/virtual-create.ts';
import { badRequest } from '../../../status/status-error.ts';
import { virtualCreate } from '../../virtual-resource.ts';

/** Lists the rules of a user. */
type RulesFor = (user: UserInfo, namespace: string) => Promise<UserRules>;

/**
 * Creates the handler of SelfSubjectRulesReviews: the permissions of the requesting user in a
 * namespace. The result is for display, not for authorization.
 */
export function selfSubjectRulesReview(rulesFor: RulesFor): VirtualCreate {
  return virtualCreate<SelfSubjectRulesReview>({
    group: 'authorization',
    kind: 'SelfSubjectRulesReview',
    validate: () => [],
    // kube-apiserver returns the status alone.
    keepsSpec: false,
    answer: async ({ spec }, { user }) => {
      if (!spec.namespace) throw badRequest('no namespace on request');
      const rules = await rulesFor(user, spec.namespace);
      return {
        resourceRules: rules.resourceRules.map(plain),
        nonResourceRules: rules.nonResourceRules.map(plain),
        incomplete: rules.incomplete,
        ...(rules.evaluationError === '' ? {} : { evaluationError: rules.evaluationError }),
      };
    },
  });
}

function plain(rule: ResourceRule | NonResourceRule): JsonValue {
  return Object.fromEntries(
    Object.entries(rule).map(([name, values]: [string, readonly string[]]) => [name, [...values]]),
  );
}
