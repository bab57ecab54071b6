import type { RuleWithOperations } from '../../../gen/stored/admissionregistration-v1.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';

/** The lists of a rule in which `*` must be alone, with the names of their items in messages. */
const ruleLists = [
  ['operations', 'operations'],
  ['apiGroups', 'API groups'],
  ['apiVersions', 'API versions'],
] as const;

/** Checks the operations and resources of a rule of a webhook or policy. */
export function checkAdmissionRule(rule: FieldCursor<RuleWithOperations>): void {
  for (const [name, items] of ruleLists) {
    const values: readonly string[] = rule.value[name] ?? [];
    if (values.length > 1 && values.includes('*')) {
      rule.at(name).reportInvalid(`if '*' is present, must not specify other ${items}`);
    }
  }
  for (const version of rule.each('apiVersions')) version.mustBeSet();
  checkResources(rule);
}

/** Checks the resources of a rule: a wildcard must not overlap with other entries. */
function checkResources(rule: FieldCursor<RuleWithOperations>): void {
  const { resources = [] } = rule.value;
  // The last plain resource counts, as in kube-apiserver.
  const plain = resources.findLast((one) => one !== '' && !one.includes('/')) ?? '*';
  const earlier = new Set<string>();
  for (const resource of rule.each('resources')) {
    checkResource(resource, earlier);
    earlier.add(resource.value);
  }
  const list = rule.at('resources');
  if (resources.length > 1 && resources.includes('*/*')) {
    list.reportInvalid("if '*/*' is present, must not specify other resources");
  }
  if (resources.includes('*') && plain !== '*') {
    list.reportInvalid("if '*' is present, must not specify other resources without subresources");
  }
}

function checkResource(resource: FieldCursor<string>, earlier: ReadonlySet<string>): void {
  resource.mustBeSet();
  const slash = resource.value.indexOf('/');
  if (slash < 0) return;
  for (const star of [`${resource.value.slice(0, slash)}/*`, `*/${resource.value.slice(slash + 1)}`]) {
    if (earlier.has(star)) resource.reportInvalid(`if '${star}' is present, must not specify ${resource.value}`);
  }
}
