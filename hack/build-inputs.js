// The files that the parts of a build are made from, and hashes of them.
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Versions and forms of all that is built: packages, compiler, and the scripts of the build. */
const always = ['package.json', 'package-lock.json', 'tsconfig.json', ...scriptsOfBuild()];

function scriptsOfBuild() {
  return ['build.js', 'build-inputs.js', 'copy-build.ts'].map((name) => `hack/${name}`);
}

/** Files whose text decides what the compiler writes. */
export function compilerInputs() {
  const sources = ['src', 'test', 'hack'].flatMap(filesBelow).filter((file) => file.endsWith('.ts'));
  return [...always, ...sources.filter((file) => !isOfDashboard(file))];
}

/** Files whose text decides whether the dashboard compiles: it imports types of any folder. */
export function dashboardInputs() {
  return [...always, ...filesBelow('src').filter((file) => /\.tsx?$/.test(file)), 'src/dashboard/tsconfig.json'];
}

/** Files whose text decides what is bundled: all of src/, and the scripts that bundle it. */
export function bundleInputs() {
  const sources = filesBelow('src').filter((file) => !file.endsWith('.md'));
  return [...always, ...sources, ...withImports('hack/bundle.ts')];
}

/** A hash of the names and texts of files. */
export function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of [...new Set(files)].toSorted((a, b) => (a < b ? -1 : 1)))
    hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

/** A hash of the names, sizes and times of all files below a folder, but one. */
export function stateOf(folder, except) {
  const files = filesBelow(folder).filter((file) => file !== join(folder, except));
  const lines = files.toSorted().map((file) => {
    const { size, mtimeMs } = lstatSync(file);
    return `${file.slice(folder.length)} ${size} ${mtimeMs}`;
  });
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

function isOfDashboard(file) {
  return file.startsWith('src/dashboard/');
}

function filesBelow(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
}

/** A script, and the scripts beside it that it imports. */
function withImports(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|\}).* from '(\.[^']+)';$/gm);
  for (const [, path] of imports) withImports(join(dirname(file), path), found);
  return found;
}
