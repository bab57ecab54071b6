import { arch, platform } from 'node:os';
import { packageVersion } from '../package/package-version.ts';

/** The release of the API whose behaviour this server follows; clients compare it with their own for version skew. */
const apiRelease = { major: '1', minor: '23', patch: '0' };

/** Go's names of processor architectures, which clients know. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** What `/version` answers. The fields named after another language say what stands in its place here. */
export function versionInfo(): Readonly<Record<string, string>> {
  const { major, minor, patch } = apiRelease;
  return {
    major,
    minor,
    gitVersion: `v${major}.${minor}.${patch}+cl.${packageVersion()}`,
    gitCommit: '',
    gitTreeState: '',
    buildDate: '',
    goVersion: `node ${process.version}`,
    compiler: 'tsc',
    platform: `${platform()}/${architectures[arch()] ?? arch()}`,
  };
}
