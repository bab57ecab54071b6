import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import { annotationsOf, labelsOf } from '../../meta/object-meta.ts';
import { isSet, objectAt, objectsAt, sameValue, stringAt } from '../../meta/read-field.ts';
import { missingRules } from './missing-rules.ts';
import { readRules, ruleObject } from './policy-rule.ts';

/** The change that brings a role or binding to a wanted state. */
export type Reconciliation =
  | { readonly action: 'none' }
  /** The annotation `autoupdate` of the object is `false`: it is left alone. */
  | { readonly action: 'protected' }
  | { readonly action: 'update'; readonly object: JsonObject }
  /** The binding refers to another role, which cannot be changed: delete it and create `object`. */
  | { readonly action: 'recreate'; readonly object: JsonObject };

interface ReconcileOptions {
  /** The domain of the annotation: `rbac.authorization.<labelDomain>/autoupdate`. */
  readonly labelDomain: string;
  /** True to remove rules and subjects that are not wanted; otherwise they are kept. */
  readonly removeExtra: boolean;
}

/**
 * Compares a Role or ClusterRole with a wanted one, as `kubectl auth reconcile` does: adds the
 * rules that it does not cover, selectors, labels and annotations. The rules of a role with an
 * aggregation rule come from other roles.
 */
export function reconcileRole(current: JsonObject, wanted: JsonObject, options: ReconcileOptions): Reconciliation {
  if (isProtected(current, options)) return { action: 'protected' };
  const aggregated = isSet(wanted, 'aggregationRule');
  return changed(current, {
    ...current,
    metadata: mergedMetadata(current, wanted),
    ...(aggregated ? { aggregationRule: reconciledAggregation(current, wanted, options) } : {}),
    ...(aggregated ? {} : { rules: reconciledRules(current, wanted, options) }),
  });
}

/** Compares a RoleBinding or ClusterRoleBinding with a wanted one: adds missing subjects. */
export function reconcileBinding(current: JsonObject, wanted: JsonObject, options: ReconcileOptions): Reconciliation {
  if (isProtected(current, options)) return { action: 'protected' };
  if (!sameValue(current['roleRef'], wanted['roleRef'])) return { action: 'recreate', object: wanted };
  const subjects = union(objectsAt(current, 'subjects'), objectsAt(wanted, 'subjects'), options);
  return changed(current, {
    ...current,
    metadata: mergedMetadata(current, wanted),
    ...(subjects.length > 0 || isSet(current, 'subjects') ? { subjects } : {}),
  });
}

function isProtected(current: JsonObject, { labelDomain }: ReconcileOptions): boolean {
  return annotationsOf(current)[`rbac.authorization.${labelDomain}/autoupdate`] === 'false';
}

function changed(current: JsonObject, object: JsonObject): Reconciliation {
  return sameValue(current, object) ? { action: 'none' } : { action: 'update', object };
}

function mergedMetadata(current: JsonObject, wanted: JsonObject): JsonObject {
  const labels = { ...labelsOf(wanted), ...labelsOf(current) };
  const annotations = { ...annotationsOf(wanted), ...annotationsOf(current) };
  return {
    ...objectAt(current, 'metadata'),
    ...(Object.keys(labels).length > 0 ? { labels } : {}),
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
  };
}

function reconciledRules(current: JsonObject, wanted: JsonObject, { removeExtra }: ReconcileOptions): JsonValue {
  const held = readRules(current);
  const needed = readRules(wanted);
  const hasExtra = removeExtra && missingRules(needed, held).length > 0;
  if (hasExtra) return [...objectsAt(wanted, 'rules')];
  return [...objectsAt(current, 'rules'), ...missingRules(held, needed).map(ruleObject)];
}

function reconciledAggregation(current: JsonObject, wanted: JsonObject, options: ReconcileOptions): JsonValue {
  return { clusterRoleSelectors: union(selectorsOf(current), selectorsOf(wanted), options) };
}

function selectorsOf(role: JsonObject): readonly JsonObject[] {
  return objectsAt(objectAt(role, 'aggregationRule'), 'clusterRoleSelectors');
}

/** The current items and the wanted ones that are missing, or only the wanted ones. */
function union(
  current: readonly JsonObject[],
  wanted: readonly JsonObject[],
  { removeExtra }: ReconcileOptions,
): JsonObject[] {
  const kept = removeExtra ? current.filter((item) => hasAlike(wanted, item)) : current;
  return [...kept, ...wanted.filter((item) => !hasAlike(current, item))];
}

function hasAlike(items: readonly JsonObject[], item: JsonObject): boolean {
  return items.some((other) => alike(other, item));
}

/** Compares selectors, or subjects whose API group may be unset. */
function alike(left: JsonObject, right: JsonObject): boolean {
  if (!isSet(left, 'kind') || !isSet(right, 'kind')) return sameValue(left, right);
  return ['kind', 'namespace', 'name'].every((field) => stringAt(left, field) === stringAt(right, field));
}
