// make-release.js [FOLDER]: makes the files of a release in a new folder, by default .cache/release (`make release`): the package,
// the archives, the Helm chart, the bill of materials, and the checksums of all of them. docs/releasing.md says what to do with
// them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeSbom } from './make-sbom.ts';
import { releaseFaults, releaseVersion } from './release-faults.ts';

const usualFolder = '.cache/release';
const [, , folder = usualFolder] = process.argv;
const archiver = fileURLToPath(new URL('make-archive.js', import.meta.url));
const platform = `${process.platform}-${process.arch}`;

const isOther = folder !== usualFolder && existsSync(folder) && readdirSync(folder).length > 0;
const faults = [...releaseFaults(), ...(isOther ? [`${folder} has files: name a new folder`] : [])];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);

// Only what an earlier run has made is removed.
if (folder === usualFolder) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
// What was tested is packed: no build, no other script.
run('npm', ['pack', '--ignore-scripts', '--silent', `--pack-destination=${folder}`]);
run(process.execPath, [archiver, folder]);
run(process.execPath, [archiver, folder, platform, process.execPath]);
const helm = run('hack/helm.sh', []);
run(helm, ['package', 'deploy/helm/cl-apiserver', '--destination', path.join(folder, 'chart')]);
const bill = `cl-apiserver-${releaseVersion()}.cdx.json`;
writeFileSync(path.join(folder, bill), `${JSON.stringify(makeSbom(), undefined, 2)}\n`);
writeFileSync(path.join(folder, 'SHA256SUMS'), filesBelow().map(sumLine).join(''));
console.log(readFileSync(path.join(folder, 'SHA256SUMS'), 'utf8').trimEnd());

function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}

function filesBelow(): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted((a, b) => (a < b ? -1 : 1));
}

/** As `sha256sum` prints and checks it. */
function sumLine(file: string): string {
  const sum = createHash('sha256').update(readFileSync(path.join(folder, file)));
  return `${sum.digest('hex')}  ${file}\n`;
}
