import { type ApiRelease, isSince, minorOf } from '../scheme/api-release.ts';
import { arch, platform } from 'node:os';
import { packageVersion } from '../package/package-root.ts';

/** Go's names of processor architectures, which clients expect. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/**
 * The response of `/version` for the release whose API is served, and the oldest one of the servers
 * beside it, by default the release before. Fields about Go describe Node and TypeScript.
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

/** The release that began to show what a server emulates. */
const emulationSince = '1.33';

/** The emulated release, which is the server's own, and the oldest compatible one. */
function emulationOf(release: ApiRelease, oldestBeside: ApiRelease | undefined) {
  const [emulationMajor = '', emulationMinor = ''] = release.split('.');
  return {
    emulationMajor,
    emulationMinor,
    minCompatibilityMajor: emulationMajor,
    minCompatibilityMinor: String(minorOf(oldestBeside ?? release) - (oldestBeside ? 0 : 1)),
  };
}
