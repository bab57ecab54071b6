import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Mutant, withMutant } from './mutant.ts';

/** What came of a mutant: a test failed, no test did, the tests did not come to an end, or it is no program. */
export type Fate = 'killed' | 'survived' | 'timed out' | 'invalid';

/** A copy of the built package, in which one mutant at a time is tried. */
export interface Sandbox extends AsyncDisposable {
  /** Runs the tests of a mutant. */
  run(mutant: Mutant): Promise<Fate>;
  /** Runs tests on the program as it is. */
  runPlain(tests: readonly string[]): Promise<Fate>;
}

/** What the tests need: copies of what may change during a run, and links to the rest. */
const copied = ['dist', 'test', 'package.json'];
const linked = ['node_modules', 'proto', 'hack', 'docs', 'deploy', 'README.md', 'src'];
/** Longer than the slowest suite takes on a busy machine; a mutant that makes tests hang takes as much. */
const timeoutMs = 400_000;

/** Copies the package in `root`, which must be built. */
export async function openSandbox(root: string): Promise<Sandbox> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cl-mutants-'));
  for (const name of copied) await cp(path.join(root, name), path.join(directory, name), { recursive: true });
  for (const name of linked) await symlink(path.join(root, name), path.join(directory, name));
  return {
    runPlain: (tests) => runTests(directory, tests, 'inherit'),
    async run(mutant) {
      const file = path.join(directory, 'dist', mutant.file);
      const text = await readFile(file, 'utf8');
      await writeFile(file, withMutant(text, mutant));
      try {
        return (await isProgram(file)) ? await runTests(directory, mutant.tests) : 'invalid';
      } finally {
        await writeFile(file, text);
      }
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

async function isProgram(file: string): Promise<boolean> {
  const child = spawn(process.execPath, ['--check', file], { stdio: 'ignore' });
  const [code]: unknown[] = await once(child, 'exit');
  return code === 0;
}

/** Runs mocha in a process group of its own, until the first failure. */
function runTests(directory: string, tests: readonly string[], stdio: 'ignore' | 'inherit' = 'ignore'): Promise<Fate> {
  const mocha = path.join(directory, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const files = tests.map((test) => path.join('dist', 'test', test));
  const options = ['--config', 'test/.mocharc.json', '--bail', '--exit', ...files];
  const child = spawn(process.execPath, [mocha, ...options], { cwd: directory, stdio, detached: true });
  return new Promise((resolve, reject) => {
    const end = (fate: Fate): void => {
      clearTimeout(timer);
      resolve(fate);
    };
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      end('timed out');
    }, timeoutMs);
    child.on('error', reject);
    child.on('exit', (code) => end(code === 0 ? 'survived' : 'killed'));
  });
}
