import type { UserInfo } from '../../../meta/user-info.ts';
import type { JsonObject, JsonValue } from '../../../meta/json-value.ts';
import { required } from '../../../status/field-error.ts';
import { objectAt, stringAt } from '../../../meta/read-field.ts';
import type { VirtualCreate } from '../../../registry/virtual-create.ts';
import { virtualCreate } from '../../virtual-resource.ts';

/**
 * The permissions of a user in a namespace. `incomplete` is true if an authorizer cannot list its
 * rules.
 */
export interface UserRules {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  readonly incomplete: boolean;
  /** The reason why the rules are incomplete, for display. */
  readonly evaluationError: string;
}

/** A rule for resources; `*` means all. */
interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** A rule for paths; `*` means all. */
interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

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
    validate: (review) => (namespaceOf(review) === '' ? [required('spec.namespace', 'no namespace on request')] : []),
    answer: async (review, { user }) => {
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
