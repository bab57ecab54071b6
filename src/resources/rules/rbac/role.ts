import type { JsonObject } from '../../../meta/json-value.ts';
import { validateWholePathSegment } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { isSet, objectAt, objectsAt, stringsAt } from '../../../meta/read-field.ts';
import { checkEach } from '../fields/check.ts';
import { checkLabelSelector, isReadableSelector } from '../fields/labels.ts';

/**
 * The strategy of Roles and ClusterRoles. Only ClusterRoles may have non-resource URLs and an
 * aggregation rule.
 */
export function roleStrategy(scope: 'namespace' | 'cluster'): Strategy {
  return {
    validateName: validateWholePathSegment,
    validate: (role) => [
      ...checkEach('rules', objectsAt(role, 'rules'), (rule, path) => ruleErrors(rule, path, scope === 'cluster')),
      ...(isSet(role, 'aggregationRule') ? aggregationErrors(objectAt(role, 'aggregationRule')) : []),
    ],
    allowCreateOnUpdate: true,
  };
}

function ruleErrors(rule: JsonObject, path: string, pathsAllowed: boolean): readonly FieldError[] {
  const paths = stringsAt(rule, 'nonResourceURLs');
  const groups = stringsAt(rule, 'apiGroups');
  const resources = stringsAt(rule, 'resources');
  const verbs =
    stringsAt(rule, 'verbs').length === 0 ? [required(`${path}.verbs`, 'verbs must contain at least one value')] : [];
  if (paths.length > 0) return [...verbs, ...pathErrors(rule, path, pathsAllowed)];
  return [
    ...verbs,
    ...(groups.length === 0
      ? [required(`${path}.apiGroups`, 'resource rules must supply at least one api group')]
      : []),
    ...(resources.length === 0
      ? [required(`${path}.resources`, 'resource rules must supply at least one resource')]
      : []),
  ];
}

function pathErrors(rule: JsonObject, path: string, pathsAllowed: boolean): readonly FieldError[] {
  const field = `${path}.nonResourceURLs`;
  const paths = [...stringsAt(rule, 'nonResourceURLs')];
  const mixed = ['apiGroups', 'resources', 'resourceNames'].some((name) => stringsAt(rule, name).length > 0);
  return [
    ...(pathsAllowed ? [] : [invalid(field, paths, 'namespaced rules cannot apply to non-resource URLs')]),
    ...(mixed ? [invalid(field, paths, 'rules cannot apply to both regular resources and non-resource URLs')] : []),
  ];
}

function aggregationErrors(aggregation: JsonObject): readonly FieldError[] {
  const selectors = objectsAt(aggregation, 'clusterRoleSelectors');
  return selectors.length === 0
    ? [
        required(
          'aggregationRule.clusterRoleSelectors',
          'at least one clusterRoleSelector required if aggregationRule is non-nil',
        ),
      ]
    : checkEach('aggregationRule.clusterRoleSelectors', selectors, selectorErrors);
}

/** A selector that cannot be converted gets one error of its own, after the errors of its parts. */
function selectorErrors(selector: JsonObject, path: string): readonly FieldError[] {
  const errors = checkLabelSelector(path, selector);
  return isReadableSelector(selector) ? errors : [...errors, invalid(path, null, 'invalid label selector.')];
}
