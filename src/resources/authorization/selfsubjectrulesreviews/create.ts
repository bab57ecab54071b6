import type { UserInfo } from '../../../meta/user-info.ts';
import type { JsonObject, JsonValue } from '../../../meta/json-value.ts';
import type { NonResourceRule, ResourceRule, UserRules } from '../../../authz/user-rules.ts';
import { badRequest } from '../../../status/status-error.ts';
import { objectAt, stringAt } from '../../../meta/read-field.ts';
import type { VirtualCreate } from '../../../registry/virtual-create.ts';
import { virtualCreate } from '../../virtual-resource.ts';

/** Lists the rules of a user. */
type RulesFor = (user: UserInfo, namespace: string) => Promise<UserRules>;

/**
 * Creates the handler of SelfSubjectRulesReviews: the permissions of the requesting user in a
 * namespace. The result is for display, not for authorization.
 */
export function selfSubjectRulesReview(rulesFor: RulesFor): VirtualCreate {
  return virtualCreate({
    group: 'authorization',
    kind: 'SelfSubjectRulesReview',
    validate: () => [],
    // kube-apiserver returns the status alone.
    keepsSpec: false,
    answer: async (review, { user }) => {
      if (namespaceOf(review) === '') throw badRequest('no namespace on request');
      const rules = await rulesFor(user, namespaceOf(review));
      return {
        resourceRules: rules.resourceRules.map(plain),
        nonResourceRules: rules.nonResourceRules.map(plain),
        incomplete: rules.incomplete,
        ...(rules.evaluationError === '' ? {} : { evaluationError: rules.evaluationError }),
      };
    },
  });
}

function namespaceOf(review: JsonObject): string {
  return stringAt(objectAt(review, 'spec'), 'namespace');
}

function plain(rule: ResourceRule | NonResourceRule): JsonValue {
  return Object.fromEntries(
    Object.entries(rule).map(([name, values]: [string, readonly string[]]) => [name, [...values]]),
  );
}
