import type { JsonObject } from '../../meta/json-value.ts';
import { objectsAt, stringsAt } from '../../meta/read-field.ts';

/** A rule of a role: verbs on resources, or on paths. `*` means all. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  /** `pods`, `pods/log`, `*`, or `*` and a slash before a sub-resource of every resource. */
  readonly resources: readonly string[];
  /** Empty: all names. */
  readonly resourceNames: readonly string[];
  /** Exact, or with a trailing `*`. */
  readonly nonResourceURLs: readonly string[];
}

/** Reads the rules of a Role or ClusterRole. */
export function readRules(role: JsonObject): readonly PolicyRule[] {
  return objectsAt(role, 'rules').map((rule) => ({
    verbs: stringsAt(rule, 'verbs'),
    apiGroups: stringsAt(rule, 'apiGroups'),
    resources: stringsAt(rule, 'resources'),
    resourceNames: stringsAt(rule, 'resourceNames'),
    nonResourceURLs: stringsAt(rule, 'nonResourceURLs'),
  }));
}

/** The rule as a field of a role, without empty lists. */
export function ruleObject({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): JsonObject {
  const lists = { verbs, apiGroups, resources, resourceNames, nonResourceURLs };
  return Object.fromEntries(
    Object.entries(lists).flatMap(([name, values]) => (values.length > 0 ? [[name, [...values]]] : [])),
  );
}
