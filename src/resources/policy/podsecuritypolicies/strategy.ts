import type { JsonObject } from '../../../meta/json-value.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { type FieldError, notSupported } from '../../../status/field-error.ts';
import { isSet, objectAt, setDefault, stringAt, makeObjectAt } from '../../../meta/read-field.ts';

/** Pod security policies. */
export const definition: ResourceDefinition = {
  group: 'policy',
  resource: 'podsecuritypolicies',
  strategy: {
    metadataErrors: { kept: 1, whole: 0 },
    returnsDeletedObject: true,
    default: (policy) => setDefault(makeObjectAt(policy, 'spec'), 'allowPrivilegeEscalation', true),
    validate: validatePolicy,
  },
};

/** The rules that each strategy may have, in the order in which messages list them. */
const strategies: Readonly<Record<string, readonly string[]>> = {
  runAsUser: ['MustRunAs', 'MustRunAsNonRoot', 'RunAsAny'],
  seLinux: ['MustRunAs', 'RunAsAny'],
  supplementalGroups: ['MayRunAs', 'MustRunAs', 'RunAsAny'],
  fsGroup: ['MayRunAs', 'MustRunAs', 'RunAsAny'],
};

function validatePolicy(policy: JsonObject): FieldError[] {
  const spec = objectAt(policy, 'spec');
  return Object.entries(strategies).flatMap(([name, rules]) => {
    const rule = stringAt(objectAt(spec, name), 'rule');
    return isSet(spec, name) && rules.includes(rule) ? [] : [notSupported(`spec.${name}.rule`, rule, rules)];
  });
}
