// Builds dist/ from the sources, as far as they changed since the last build (`make build`, `npm start`, `npm pack`). Plain
// JavaScript without libraries, because it runs before anything is compiled or installed.
//
// What is compiled goes to .cache/compiled, which the compiler keeps between builds, and then into a folder beside dist/ that
// takes its place as a whole: programs may run from dist/, and a build that fails leaves it as it is.
import { spawnSync } from 'node:child_process';
import { constants, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleInputs, compilerInputs, dashboardInputs, hashOf, stateOf } from './build-inputs.js';
import { lockBuild } from './build-lock.js';
import { installPackages, run } from './install-packages.js';

const compiled = '.cache/compiled';
const build = '.build';
/** Is there while the compiler writes: files that a killed one has left may be newer than what it noted of them. */
const compiling = '.cache/compiling';
/** The file of a build with what it was made from and what it consists of. */
const record = 'build.json';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
installPackages();
// Two builds would write the same files. The second one finds its work done.
if (isChanged(readState())) {
  lockBuild();
  const state = readState();
  if (isChanged(state)) rebuild(state);
}

/** What there is to build, read before the work: a source that changes meanwhile is built the next time. */
function readState() {
  const inputs = {
    compiled: hashOf(compilerInputs()),
    dashboard: hashOf(dashboardInputs()),
    bundle: hashOf(bundleInputs()),
  };
  return { inputs, last: readRecord() };
}

function isChanged({ inputs, last }) {
  return Object.keys(inputs).some((part) => last?.[part] !== inputs[part]);
}

function rebuild({ inputs, last }) {
  const same = (part) => last?.[part] === inputs[part];
  rmSync(build, { recursive: true, force: true });
  if (!same('compiled')) compile();
  if (!same('dashboard')) run('node_modules/.bin/tsc', ['-p', 'src/dashboard']);
  if (!copyCompiled()) {
    // Somebody removed files of the compiler, which does not miss them.
    rmSync(compiled, { recursive: true, force: true });
    compile();
    if (!copyCompiled()) process.exit(1);
  }
  if (same('bundle')) cpSync('dist/bundle', `${build}/bundle`, { recursive: true, mode: constants.COPYFILE_FICLONE });
  else bundle();
  writeFileSync(`${build}/${record}`, JSON.stringify({ ...inputs, state: stateOf(build, record) }));
  run(process.execPath, [`${build}/hack/install-build.js`]);
}

function compile() {
  console.log('compiling');
  if (existsSync(compiling)) rmSync(compiled, { recursive: true, force: true });
  mkdirSync('.cache', { recursive: true });
  writeFileSync(compiling, '');
  const kept = ['--outDir', compiled, '--incremental', '--tsBuildInfoFile', `${compiled}/tsbuildinfo`];
  run('node_modules/.bin/tsc', ['-p', '.', ...kept], (status) => {
    if (status !== null) rmSync(compiling);
  });
}

function copyCompiled() {
  const script = `${compiled}/hack/copy-build.js`;
  return existsSync(script) && spawnSync(process.execPath, [script, build], { stdio: 'ignore' }).status === 0;
}

function bundle() {
  console.log('bundling');
  run(process.execPath, [`${build}/hack/bundle.js`]);
}

/** The record of the build in dist/; undefined if it is missing, or dist/ is no longer what was built. */
function readRecord() {
  try {
    const found = JSON.parse(readFileSync(`dist/${record}`, 'utf8'));
    return found.state === stateOf('dist', record) ? found : undefined;
  } catch {
    return undefined;
  }
}
