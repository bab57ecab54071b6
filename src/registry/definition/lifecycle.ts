import { isSince } from '../../scheme/api-release.ts';

/**
 * The Kubernetes releases in which a version of a resource is introduced, deprecated and removed
 * (spec 9.3), as texts such as `1.19`.
 */
export interface Lifecycle {
  /** Absent: before all releases that can be served. */
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly removed?: string;
  /** The `apiVersion` that replaces this one. */
  readonly replacement?: string;
  /** The feature gate that serves it; absent: it is served in any case. */
  readonly gate?: string;
}

/** A version of a kind, for messages. */
interface DeprecatedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * The deprecation warning of a version (spec 6.3) in a release. Undefined if it is deprecated later
 * or never.
 */
export function deprecationWarning(
  { deprecated, removed, replacement }: Lifecycle,
  { apiVersion, kind }: DeprecatedKind,
  release: string,
): string | undefined {
  if (deprecated === undefined || !isSince(release, deprecated)) return undefined;
  return [
    `${apiVersion} ${kind} is deprecated in v${deprecated}+`,
    removed ? `, unavailable in v${removed}+` : '',
    replacement ? `; use ${replacement} ${kind}` : '',
  ].join('');
}
