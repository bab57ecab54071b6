import type { AggregationRule, ClusterRole, PolicyRule } from '../../../gen/stored/rbac-authorization-v1.ts';
import { validateWholePathSegment } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { invalid } from '../../../status/field-error.ts';
import { checkLabelSelector, isReadableSelector } from '../fields/labels.ts';

/**
 * The strategy of Roles and ClusterRoles. Only ClusterRoles may have non-resource URLs and an
 * aggregation rule.
 */
export function roleStrategy(scope: 'namespace' | 'cluster'): Strategy<ClusterRole> {
  return {
    validateName: validateWholePathSegment,
    validate: (role) => {
      const cursor = new FieldCursor(role);
      for (const rule of cursor.each('rules')) checkRule(rule, scope === 'cluster');
      checkAggregation(cursor.at('aggregationRule'));
      return cursor.errors;
    },
    allowCreateOnUpdate: true,
  };
}

function checkRule(rule: FieldCursor<PolicyRule>, pathsAllowed: boolean): void {
  const { apiGroups, resources, resourceNames, nonResourceURLs } = rule.value;
  if (nonResourceURLs?.length) {
    const paths = rule.at('nonResourceURLs');
    if (!pathsAllowed) paths.reportInvalid('namespaced rules cannot apply to non-resource URLs');
    if ([apiGroups, resources, resourceNames].some((list) => list?.length)) {
      paths.reportInvalid('rules cannot apply to both regular resources and non-resource URLs');
    }
    return;
  }
  if (!apiGroups?.length) rule.at('apiGroups').reportRequired('resource rules must supply at least one api group');
  if (!resources?.length) rule.at('resources').reportRequired('resource rules must supply at least one resource');
}

/** A selector that cannot be converted gets one error of its own, after the errors of its parts. */
function checkAggregation(aggregation: FieldCursor<AggregationRule | undefined>): void {
  if (!aggregation.value) return;
  if (!aggregation.value.clusterRoleSelectors?.length) {
    const missing = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
    aggregation.at('clusterRoleSelectors').reportRequired(missing);
  }
  for (const { value, path, errors } of aggregation.each('clusterRoleSelectors')) {
    errors.push(...checkLabelSelector(path, value));
    if (!isReadableSelector(value)) errors.push(invalid(path, null, 'invalid label selector.'));
  }
}
