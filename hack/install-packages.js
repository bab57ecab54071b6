// Installs the packages of package-lock.json, unless they are there (`make build`, `npm start`).
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, utimesSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const installed = 'node_modules/.package-lock.json';

/**
 * Runs a program of this build; ends this process with its exit code if that is not 0. `onEnd` gets the code before that, null if a
 * signal has ended the program.
 */
export function run(program, args, onEnd = () => {}) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  onEnd(status);
  if (error) console.error(`error: ${program} does not start: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/** Installs what is missing. Nothing is done if the lists are older than the packages, or mean the same. */
export function installPackages() {
  if (timeOf(installed) < Math.max(timeOf('package.json'), timeOf('package-lock.json'))) {
    if (!isInstalled()) {
      console.log('installing packages');
      run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
    }
    utimesSync(installed, new Date(), new Date());
  }
}

/** The time of the last change of a file; 0 if it is missing. */
function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** True if the packages of the lock file, and no others, are those that npm noted when it installed them. */
function isInstalled() {
  if (timeOf(installed) === 0) return false;
  const [manifest, lock, found] = ['package.json', 'package-lock.json', installed].map((file) =>
    JSON.parse(readFileSync(file, 'utf8')),
  );
  const { '': root, ...packages } = lock.packages;
  const isSame = (part) => isDeepStrictEqual(manifest[part] ?? {}, root[part] ?? {});
  // npm leaves out packages of other platforms.
  const missing = Object.keys(packages).filter((name) => !(name in found.packages) && !packages[name].optional);
  const isOther = (name) => packages[name]?.integrity !== found.packages[name].integrity;
  return (
    ['dependencies', 'devDependencies'].every(isSame) &&
    missing.length === 0 &&
    !Object.keys(found.packages).some(isOther)
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) installPackages();
