import type { MatchResources, NamedRuleWithOperations } from '../../../gen/stored/admissionregistration-v1.ts';
import { validatePathSegment } from '../../../meta/validate-name.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { notSupported } from '../../../status/field-error.ts';
import { checkLabelSelector } from '../fields/labels.ts';
import { checkAdmissionRule } from '../webhooks/check-admission-rule.ts';

/** The operations that a policy may match. */
type PolicyOperations = 'all' | 'not DELETE';

/** The operations with an object to mutate. */
const withObject: readonly string[] = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

/** Checks the resources that a policy or binding matches. */
export function checkMatchResources(
  match: FieldCursor<MatchResources | undefined>,
  operations: PolicyOperations = 'all',
): void {
  const { value, path } = match;
  if (value === undefined) return;
  const { namespaceSelector, objectSelector } = value;
  match.report(
    ...checkLabelSelector(`${path}.namespaceSelector`, namespaceSelector),
    ...checkLabelSelector(`${path}.objectSelector`, objectSelector),
  );
  for (const rule of match.each('resourceRules')) checkNamedRule(rule);
  for (const rule of match.each('excludeResourceRules')) checkNamedRule(rule);
  if (operations === 'not DELETE') checkOperations(match, value);
}

function checkNamedRule(rule: FieldCursor<NamedRuleWithOperations>): void {
  const names = new Set<unknown>();
  for (const name of rule.each('resourceNames')) {
    for (const message of validatePathSegment(name.value)) name.reportInvalid(message);
    name.mustBeUnique(names);
  }
  checkAdmissionRule(rule);
}

/** Checks the operations. As in kube-apiserver the errors do not name the rule. */
function checkOperations(match: FieldCursor<MatchResources | undefined>, { resourceRules = [] }: MatchResources): void {
  for (const operation of resourceRules.flatMap(({ operations = [] }) => operations)) {
    if (withObject.includes(operation)) continue;
    match.report(notSupported(`${match.path}.resourceRules.operations`, operation, withObject));
  }
}
