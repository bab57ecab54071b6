import { apiRelease } from '../scheme/api-release.ts';

/** When a version of a resource went out of favour and out of service, and what takes its place. */
export interface Deprecation {
  /** Releases are those that users of the API know: `1.19`. */
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
 * What clients of a version are warned of (spec 6.3); undefined where it is in favour: what is newer than the release that
 * this server speaks for is not deprecated yet. `nameOf` completes the name of a group.
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
