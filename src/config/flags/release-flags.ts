import { FlagValueError, type FlagType } from '../../flags/flag-types.ts';
import { type ApiRelease, apiReleases, defaultRelease, isSince, newestRelease } from '../../scheme/api-release.ts';

/** A release, or `newest` for the last release that this server can emulate. */
export type NamedRelease = ApiRelease | 'newest';

/** The release of a name, or the default. */
export function releaseOf(name: NamedRelease = defaultRelease): ApiRelease {
  return name === 'newest' ? newestRelease : name;
}

/** A release, also as `kube=1.34`, the form of kube-apiserver. */
export const release: FlagType<ApiRelease> = {
  placeholder: 'release',
  words: [...apiReleases, 'newest'],
  parse: (given) => {
    const name = given.replace(/^kube=/, '');
    const found = apiReleases.find((other) => other === name);
    if (found !== undefined) return found;
    if (name === 'newest') return newestRelease;
    throw new FlagValueError(`use ${apiReleases.join(', ')} or newest`);
  },
  format: (value) => value,
};

/** The flags that choose releases. */
interface ReleaseFlags {
  readonly 'emulated-release': ApiRelease;
  readonly 'min-compatibility-version': ApiRelease | undefined;
}

/** The message if the compatible release is later than the emulated one; undefined if it is not. */
export function compatibilityError(flags: ReleaseFlags): string | undefined {
  const { 'emulated-release': emulated, 'min-compatibility-version': oldest } = flags;
  if (oldest === undefined || isSince(emulated, oldest)) return undefined;
  return `--min-compatibility-version=${oldest} is later than the emulated release ${emulated}`;
}
