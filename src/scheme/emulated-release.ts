import { type ApiRelease, isSince, newestRelease } from './api-release.ts';

/** The release that a server emulates, for rules and plugins that depend on the release. */
export interface EmulatedRelease {
  /** The release that decides which versions are served and which are deprecated (spec 9.3). */
  readonly release: ApiRelease;
  /** True if the versions, fields and rules of later releases exist too. */
  readonly forwardCompatible: boolean;
  /** True if a feature gate is on. A gate that the release does not know is off. */
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

/** True if the server has a field or rule that a release added. */
export function hasAdditionsOf({ release, forwardCompatible }: EmulatedRelease, since: string): boolean {
  return forwardCompatible || isSince(release, since);
}

/** The release whose fields objects have. */
export function fieldsRelease({ release, forwardCompatible }: EmulatedRelease): ApiRelease {
  return forwardCompatible ? newestRelease : release;
}

/** The creation time of metadata without one: null, and left out since release 1.34. */
export function absentCreation({ release }: EmulatedRelease): { readonly creationTimestamp?: null } {
  return isSince(release, '1.34') ? {} : { creationTimestamp: null };
}
