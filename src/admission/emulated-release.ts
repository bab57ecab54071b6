import type { ApiRelease } from '../scheme/api-release.ts';

/** The release that a server emulates, for plugins that came or changed with one. */
export interface EmulatedRelease {
  readonly release: ApiRelease;
  /** Behaves as later releases where they add something. */
  readonly forwardCompatible: boolean;
  /** True if a feature gate is on. */
  readonly isFeatureEnabled: (gate: string) => boolean;
}
