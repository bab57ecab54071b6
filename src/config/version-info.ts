import { type ApiRelease, isSince, minorOf } from '../scheme/api-release.ts';
import { arch, platform } from 'node:os';
import { packageVersion } from '../package/package-root.ts';

/** Go's names of processor architectures, which clients expect. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/**
 * The response of `/version` for the emulated release. `oldestBeside` is the oldest compatible
 * release; by default the release before. Fields about Go describe Node and TypeScript.
 */
export function versionInfo(release: ApiRelease, oldestBeside?: ApiRelease) {
  const [major = '', minor = ''] = release.split('.');
  return {
    major,
    minor,
    ...(isSince(release, emulationSince) ? emulationOf(release, oldestBeside) : {}),
    gitVersion: `v${release}.0+cl.${packageVersion()}`,
    gitCommit: '',
    gitTreeState: '',
    buildDate: '',
    goVersion: `node ${process.version}`,
    compiler: 'tsc',
    platform: `${platform()}/${architectures[arch()] ?? arch()}`,
  };
}

/** The first release that shows the emulated version. */
const emulationSince = '1.33';

/** The emulated release, which equals the binary's own, and the oldest compatible release. */
function emulationOf(release: ApiRelease, oldestBeside: ApiRelease | undefined) {
  const [emulationMajor = '', emulationMinor = ''] = release.split('.');
  return {
    emulationMajor,
    emulationMinor,
    minCompatibilityMajor: emulationMajor,
    minCompatibilityMinor: String(minorOf(oldestBeside ?? release) - (oldestBeside ? 0 : 1)),
  };
}
