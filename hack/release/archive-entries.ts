import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** A file of the archive: its path below the folder of the archive, and where its contents are. */
export interface ArchiveEntry {
  readonly name: string;
  readonly source: string;
  readonly executable: boolean;
}

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly optional?: boolean }>>;
}

/** The parts of the package that its programs use. */
const own = ['LICENSE', 'package.json', 'hack/etcd.sh', 'dist/bundle'];

/** Files that only compilers, debuggers and readers use. Licences stay, whatever they are named. */
const unused = /(?<!licen[cs]e.*)\.(?:[cm]?ts|map|md|markdown|flow)$/i;

/**
 * All files of an archive, sorted: launchers in `bin/`, the package and its dependencies in `lib/`,
 * and `lib/node` if there is one.
 */
export function archiveEntries(node?: string): readonly ArchiveEntry[] {
  const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly bin: Readonly<Record<string, string>>;
  };
  const launchers = Object.keys(bin).map((program) => ({
    name: `bin/${program}`,
    source: 'hack/release/launcher.sh',
    executable: true,
  }));
  const files = [...own, ...dependencies()].flatMap(filesOf).filter((file) => !unused.test(file));
  const library = files.map((file) => ({ name: `lib/${file}`, source: file, executable: isExecutable(file) }));
  const license = { name: 'LICENSE', source: 'LICENSE', executable: false };
  const program = node === undefined ? [] : [{ name: 'lib/node', source: node, executable: true }];
  return [...launchers, license, ...library, ...program].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The folders of the dependencies that an installation of the package has; others may be in these. */
function dependencies(): readonly string[] {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile;
  return Object.entries(packages)
    .filter(([folder, { dev, optional }]) => folder.lastIndexOf('node_modules/') === 0 && !dev && !optional)
    .map(([folder]) => folder);
}

function filesOf(entry: string): readonly string[] {
  if (!statSync(entry).isDirectory()) return [entry];
  return readdirSync(entry, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => path.posix.join(each.parentPath.split(path.sep).join('/'), each.name));
}

function isExecutable(file: string): boolean {
  return (statSync(file).mode & 0o100) !== 0;
}
