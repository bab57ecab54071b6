import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A copy of the package with its dependencies, whose files a test may remove while its programs run. */
export interface PackageCopy extends AsyncDisposable {
  readonly directory: string;
  program(name: 'cl-apiserver' | 'cl-controller-manager'): string;
  /** Removes the program and its dependencies, as the beginning of an upgrade does. */
  removeFiles(): Promise<void>;
  /** Puts another build of a program in its place. */
  replaceProgram(name: 'cl-apiserver'): Promise<void>;
}

/** Copies what an installation has. */
export async function copyPackage(): Promise<PackageCopy> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cl-upgrade-'));
  const inCopy = (name: string): string => path.join(directory, name);
  const names = ['package.json', 'dist/bundle', ...(await dependencies())];
  for (const folder of new Set(names.map((name) => path.dirname(name)))) {
    const own = names.filter((name) => path.dirname(name) === folder);
    await mkdir(inCopy(folder), { recursive: true });
    // `fs.cp` takes seconds of CPU time for thousands of files.
    await run('cp', ['-R', ...own.map((name) => path.join(root, name)), inCopy(folder)]);
  }
  return {
    directory,
    program: (name) => inCopy(`dist/bundle/bin/${name}.js`),
    async removeFiles() {
      await Promise.all(['dist', 'node_modules', 'package.json'].map((name) => rm(inCopy(name), { recursive: true })));
    },
    replaceProgram: (name) => appendFile(inCopy(`dist/bundle/bin/${name}.js`), '// Another build.\n'),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

/** The folders of the dependencies that an installation of the package has; others may be in these. */
async function dependencies(): Promise<string[]> {
  const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly optional?: boolean }>>;
  };
  return Object.entries(lock.packages)
    .filter(([folder, { dev, optional }]) => folder.lastIndexOf('node_modules/') === 0 && !dev && !optional)
    .map(([folder]) => folder);
}
