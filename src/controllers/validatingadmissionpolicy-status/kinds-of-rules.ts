import type { Rule } from '../../gen/types/admissionregistration-v1.ts';

/** A kind in a version. */
interface NamedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A resource of the server. */
interface ServedResource extends NamedKind {
  readonly resource: string;
  readonly singular: string;
}

/** The limit of kinds: later rules and kinds are ignored. */
const mostKinds = 10;

/**
 * The kinds that rules match, sorted by group, version and kind, without wildcards and
 * sub-resources. As in kube-controller-manager, resources can be given in the singular and in any
 * case, and the core group matches all groups.
 */
export function kindsOfRules(rules: readonly Rule[], served: readonly ServedResource[]): readonly NamedKind[] {
  const found = new Map<string, NamedKind>();
  for (const rule of rules) {
    let count = 0;
    for (const { group, version, kind } of namedBy(rule, served)) {
      found.set(sortKey({ group, version, kind }), { group, version, kind });
      count += 1;
      if (count === mostKinds) return sorted(found);
    }
  }
  return sorted(found);
}

/** Reports whether a rule names a resource that is not served. */
export function namesUnknown(rules: readonly Rule[], served: readonly ServedResource[]): boolean {
  return rules.some((rule) => namesOf(rule).some((name) => !served.some((one) => isNamed(one, name))));
}

function namedBy(rule: Rule, served: readonly ServedResource[]): readonly ServedResource[] {
  return namesOf(rule).flatMap((name) => served.filter((one) => isNamed(one, name)));
}

/** A resource in a rule. */
interface ResourceName {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

function namesOf({ apiGroups, apiVersions, resources }: Rule): readonly ResourceName[] {
  if ([...apiGroups, ...apiVersions].some((name) => name.includes('*'))) return [];
  const names = resources.filter((name) => !/[*/]/.test(name)).toSorted();
  return apiGroups
    .toSorted()
    .flatMap((group) =>
      apiVersions.toSorted().flatMap((version) => names.map((resource) => ({ group, version, resource }))),
    );
}

function isNamed(one: ServedResource, { group, version, resource }: ResourceName): boolean {
  const wanted = resource.toLowerCase();
  if ((group !== '' && one.group !== group) || one.version !== version) return false;
  return one.resource === wanted || one.singular === wanted;
}

function sorted(kinds: ReadonlyMap<string, NamedKind>): readonly NamedKind[] {
  return [...kinds].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind);
}

function sortKey({ group, version, kind }: NamedKind): string {
  return [group, version, kind].join('\0');
}
