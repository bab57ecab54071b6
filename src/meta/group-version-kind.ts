/**
 * Splits an `apiVersion`: `v1` is version v1 of the core group, `apps/v1` version v1 of `apps`.
 * Returns undefined for a text with two slashes; an empty text gives an empty version.
 */
export function parseApiVersion(text: string): { group: string; version: string } | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return { group: '', version: text };
  if (text.includes('/', slash + 1)) return undefined;
  return { group: text.slice(0, slash), version: text.slice(slash + 1) };
}

/** Formats an `apiVersion`; the reverse of `parseApiVersion`. */
export function formatApiVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

/** A version of an API: `v1`, `v2beta1`. */
const versionPattern = /^v([1-9][0-9]{0,8})(?:(alpha|beta)([1-9][0-9]{0,8}))?$/;

const levels: Readonly<Record<string, number>> = { alpha: 0, beta: 1 };

function rankOf(version: string): readonly [level: number, major: number, minor: number] | undefined {
  const match = versionPattern.exec(version);
  if (!match) return undefined;
  const [, major = '', level, minor] = match;
  return [level === undefined ? 2 : (levels[level] ?? 0), Number(major), Number(minor ?? 0)];
}

/**
 * Compares versions in order of preference, for `Array.sort`: GA before beta before alpha, newer
 * before older. Names that are not versions come last, sorted as text.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [rankOf(a), rankOf(b)];
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : a > b ? 1 : 0;
  return right[0] - left[0] || right[1] - left[1] || right[2] - left[2];
}
