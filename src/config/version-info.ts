import type { ApiRelease } from '../scheme/api-release.ts';
import { arch, platform } from 'node:os';
import { packageVersion } from '../package/package-root.ts';

/** Go's names of processor architectures, which clients expect. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/**
 * The response of `/version` for the release whose API is served. Fields about Go describe Node and
 * TypeScript.
 */
export function versionInfo(release: ApiRelease) {
  const [major = '', minor = ''] = release.split('.');
  return {
    major,
    minor,
    gitVersion: `v${release}.0+cl.${packageVersion()}`,
    gitCommit: '',
    gitTreeState: '',
    buildDate: '',
    goVersion: `node ${process.version}`,
    compiler: 'tsc',
    platform: `${platform()}/${architectures[arch()] ?? arch()}`,
  };
}
