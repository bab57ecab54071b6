import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The parts of a manifest with names of packages. */
interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly files?: readonly string[];
}

/** Copies of the examples, with the package as it is published. */
export interface ExampleProjects extends AsyncDisposable {
  readonly names: readonly string[];
  folder(name: string): string;
}

async function manifestIn(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as Manifest;
}

/**
 * Copies the examples to a new folder and gives each the packages that it names, and only these:
 * our own from the packed archive, others as they are installed here. The test tools that only
 * examples have are installed once, until their lock file changes.
 */
export async function copyExamples(): Promise<ExampleProjects> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cl-examples-'));
  const folder = (name: string): string => path.join(directory, name);
  const installed = folder('.package');
  await unpackPackage(installed);
  const tools = await installTools();
  const entries = await readdir(path.join(root, 'examples'), { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules').map(({ name }) => name);
  for (const name of names) {
    await cp(path.join(root, 'examples', name), folder(name), { recursive: true, filter: isSource });
    const { dependencies, devDependencies } = await manifestIn(folder(name));
    for (const wanted of Object.keys({ ...dependencies, ...devDependencies })) {
      await linkPackage(folder(name), wanted, wanted === 'cl-apiserver' ? [installed] : [root, tools]);
    }
  }
  return { names, folder, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
}

function isSource(file: string): boolean {
  return !/(?:^|[/\\])(?:node_modules|dist)$/.test(file);
}

/** The list of `npm pack`. */
interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/**
 * Unpacks our package into `node_modules` of a folder, and links what it depends on beside it; it
 * sees no other packages. Returns what is in it.
 */
export async function unpackPackage(directory: string): Promise<Packed> {
  const own = path.join(directory, 'node_modules/cl-apiserver');
  const folder = await packedPackage();
  const [packed] = JSON.parse(await readFile(path.join(folder, 'packed.json'), 'utf8')) as [Packed];
  await mkdir(own, { recursive: true });
  await run('tar', ['-xzf', path.join(folder, packed.filename), '--strip-components=1', '-C', own]);
  const { dependencies = {} } = await manifestIn(own);
  for (const name of Object.keys(dependencies)) await linkPackage(directory, name, [root]);
  return packed;
}

/** The folder with the archive of our package, which is packed once for each state of the build: that takes seconds. */
async function packedPackage(): Promise<string> {
  const folders = path.join(root, '.cache/packed');
  const folder = path.join(folders, await stateOfPackage());
  await mkdir(folders, { recursive: true });
  const known = await readdir(folders);
  if (known.includes(path.basename(folder))) return folder;
  for (const old of known) if (!isOfState(old, folder)) await rm(path.join(folders, old), { recursive: true });
  const part = await mkdtemp(`${folder}.`);
  // What the tests run is what is packed: a build here would take it away from them.
  const args = ['pack', '--ignore-scripts', '--json', `--pack-destination=${part}`];
  await writeFile(path.join(part, 'packed.json'), (await run('npm', args, { cwd: root })).stdout);
  // Another file of tests may have packed the same meanwhile.
  await rename(part, folder).catch(() => rm(part, { recursive: true }));
  return folder;
}

/** Reports whether a name is that of the folder, or of one that is being filled for it. */
function isOfState(name: string, folder: string): boolean {
  return name.startsWith(path.basename(folder));
}

/** A digest of the paths, sizes and times of all files that may be packed. */
async function stateOfPackage(): Promise<string> {
  const state = createHash('sha256');
  const { files = [] } = await manifestIn(root);
  const named = files.filter((file) => !file.startsWith('!'));
  for (const entry of [...named, 'package.json', 'README.md', 'LICENSE']) {
    const isFolder = (await stat(path.join(root, entry))).isDirectory();
    const below = isFolder ? await readdir(path.join(root, entry), { recursive: true }) : [''];
    for (const file of below.toSorted()) {
      const { size, mtimeMs } = await stat(path.join(root, entry, file));
      state.update(`${entry}/${file} ${size} ${mtimeMs}\n`);
    }
  }
  return state.digest('hex').slice(0, 20);
}

/** The folder with jest and vitest. */
async function installTools(): Promise<string> {
  const tools = path.join(root, '.cache/example-tools');
  const lock = await readFile(path.join(root, 'examples/package-lock.json'), 'utf8');
  const isCurrent = (await readFile(path.join(tools, 'installed'), 'utf8').catch(() => '')) === lock;
  if (isCurrent) return tools;
  await rm(tools, { recursive: true, force: true });
  await mkdir(tools, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) {
    await cp(path.join(root, 'examples', name), path.join(tools, name));
  }
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: tools });
  await writeFile(path.join(tools, 'installed'), lock);
  return tools;
}

/** Links a package from the first of some folders that has it, and the programs that it brings. */
export async function linkPackage(project: string, name: string, sources: readonly string[]): Promise<void> {
  for (const source of sources) {
    const target = path.join(source, 'node_modules', name);
    const manifest = await readFile(path.join(target, 'package.json'), 'utf8').catch(() => undefined);
    if (manifest === undefined) continue;
    const link = path.join(project, 'node_modules', name);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(target, link, 'dir');
    await linkPrograms(project, name, JSON.parse(manifest) as { readonly bin?: string | Record<string, string> });
    return;
  }
  throw new Error(`${name} of ${project} is not installed here`);
}

async function linkPrograms(
  project: string,
  name: string,
  { bin = {} }: { readonly bin?: string | Record<string, string> },
): Promise<void> {
  const programs = typeof bin === 'string' ? { [path.basename(name)]: bin } : bin;
  const folder = path.join(project, 'node_modules/.bin');
  await mkdir(folder, { recursive: true });
  for (const [program, file] of Object.entries(programs)) {
    await symlink(path.join('..', name, file), path.join(folder, program));
  }
}
