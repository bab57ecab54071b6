import type { MatchResources, NamedRuleWithOperations } from '../../gen/stored/admissionregistration-v1.ts';
import type { AdmittedVersion } from '../admission.ts';
import { type AdmissionRule, matchesRule, readRule, type RequestKind } from '../matching/admission-rule.ts';
import { readSelector, type SelectLabels } from '../matching/read-selector.ts';

/** A rule that may be limited to some names. */
interface NamedRule {
  readonly rule: AdmissionRule;
  /** The names of the matched objects; undefined: all objects. */
  readonly names: ReadonlySet<string> | undefined;
}

/** The requests that a policy or a binding matches. */
export interface MatchCriteria {
  readonly namespaceSelector: SelectLabels | undefined;
  readonly objectSelector: SelectLabels | undefined;
  /** Returns the versions in which a kind of request matches; undefined if it does not match. */
  readonly find: (request: RequestKind) => MatchedVersions | undefined;
}

/**
 * The versions in which a kind of request matches, in order. The first one that includes the name
 * of the object is used.
 */
export interface MatchedVersions {
  readonly versions: readonly MatchedVersion[];
  /** The names of objects that do not match. */
  readonly excluded: readonly ReadonlySet<string>[];
}

interface MatchedVersion {
  readonly version: AdmittedVersion;
  readonly names: ReadonlySet<string> | undefined;
}

/** The criteria of a policy without constraints, which validation refuses. */
export const matchesNothing: MatchCriteria = Object.freeze({
  namespaceSelector: undefined,
  objectSelector: undefined,
  find: () => undefined,
});

/** Reads the criteria of a policy or a binding. */
export function readCriteria(match: MatchResources): MatchCriteria {
  const selectors = new Map<string, SelectLabels>();
  const included = (match.resourceRules ?? []).map(readNamedRule);
  const excluded = (match.excludeResourceRules ?? []).map(readNamedRule);
  const isExact = match.matchPolicy === 'Exact';
  return {
    namespaceSelector: readSelector(match.namespaceSelector, selectors),
    objectSelector: readSelector(match.objectSelector, selectors),
    find: (request) => findVersions({ included, excluded, isExact }, request),
  };
}

function readNamedRule(rule: NamedRuleWithOperations): NamedRule {
  const { resourceNames = [] } = rule;
  return { rule: readRule(rule), names: resourceNames.length === 0 ? undefined : new Set(resourceNames) };
}

interface Rules {
  readonly included: readonly NamedRule[];
  readonly excluded: readonly NamedRule[];
  readonly isExact: boolean;
}

function findVersions({ included, excluded, isExact }: Rules, request: RequestKind): MatchedVersions | undefined {
  const out = matching(excluded, request, isExact);
  if (out.some(({ names }) => names === undefined)) return undefined;
  const [requested] = request.versions;
  const all = included.length === 0 && requested ? [{ version: requested, names: undefined }] : undefined;
  const versions = all ?? matching(included, request, isExact);
  if (versions.length === 0) return undefined;
  return { versions, excluded: out.flatMap(({ names }) => names ?? []) };
}

/** The versions that rules match: the requested version first, then the order of the rules. */
function matching(rules: readonly NamedRule[], request: RequestKind, isExact: boolean): readonly MatchedVersion[] {
  const [requested, ...others] = request.versions;
  if (!requested) return [];
  const own = rules.filter(({ rule }) => matchesRule(rule, request, requested));
  const equivalent = isExact
    ? []
    : rules.flatMap(({ rule, names }) =>
        others.filter((version) => matchesRule(rule, request, version)).map((version) => ({ version, names })),
      );
  return [...own.map(({ names }) => ({ version: requested, names })), ...equivalent];
}

/** The version in which an object matches; undefined if it does not. */
export function versionFor({ versions, excluded }: MatchedVersions, name: string): AdmittedVersion | undefined {
  for (const names of excluded) if (names.has(name)) return undefined;
  for (const { version, names } of versions) if (!names || names.has(name)) return version;
  return undefined;
}
