import { type ApiRelease, isSince, newestRelease } from './api-release.ts';

/** The release that a server emulates, for rules and plugins that came or changed with one. */
export interface EmulatedRelease {
  /** The release that decides which versions are served and which are deprecated (spec 9.3). */
  readonly release: ApiRelease;
  /** True if versions, fields and rules of later releases are there, too. */
  readonly forwardCompatible: boolean;
  /** True if a feature gate is on. A gate that the release does not have is off. */
  readonly isFeatureEnabled: (gate: string) => boolean;
  /** True if the policy of the cluster forbids privileged containers. */
  readonly forbidsPrivileged?: boolean;
}

/** The newest release with all of its features. */
export const newestEmulated: EmulatedRelease = Object.freeze({
  release: newestRelease,
  forwardCompatible: true,
  isFeatureEnabled: () => true,
});

/** True if a field or rule that a release added is there. */
export function hasAdditionsOf({ release, forwardCompatible }: EmulatedRelease, since: string): boolean {
  return forwardCompatible || isSince(release, since);
}

/** The release whose fields objects have. */
export function fieldsRelease({ release, forwardCompatible }: EmulatedRelease): ApiRelease {
  return forwardCompatible ? newestRelease : release;
}

/** The time of creation in metadata that have none: null, and from release 1.34 on left out. */
export function absentCreation({ release }: EmulatedRelease): { readonly creationTimestamp?: null } {
  return isSince(release, '1.34') ? {} : { creationTimestamp: null };
}
