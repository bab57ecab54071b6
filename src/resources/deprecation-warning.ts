import { apiRelease } from '../scheme/api-release.ts';

/**
 * The releases in which a version of a resource was deprecated and removed, and its replacement.
 */
export interface Deprecation {
  /** A Kubernetes release such as `1.19`. */
  readonly since: string;
  readonly removed?: string;
  /** A version of the same group, or a short group and a version: `networking/v1`. */
  readonly replacement?: string;
}

/** A version of a kind, with the full name of its group. */
interface DeprecatedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * The deprecation warning of a version (spec 6.3). Undefined if it was deprecated in a later
 * release than the one that this server implements. `nameOf` returns the full name of a short
 * group.
 */
export function deprecationWarning(
  { since, removed, replacement }: Deprecation,
  { group, version, kind }: DeprecatedKind,
  nameOf: (shortGroup: string) => string,
): string | undefined {
  if (Number(since.split('.')[1]) > Number(apiRelease.minor)) return undefined;
  const [newer = '', newerGroup] = replacement?.split('/').toReversed() ?? [];
  const newerName = newerGroup === undefined ? group : nameOf(newerGroup);
  return [
    `${apiVersion(group, version)} ${kind} is deprecated in v${since}+`,
    removed ? `, unavailable in v${removed}+` : '',
    replacement ? `; use ${apiVersion(newerName, newer)} ${kind}` : '',
  ].join('');
}

function apiVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}
