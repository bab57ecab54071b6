import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';

/** A file with manifests, and its name for messages. */
export interface ManifestFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The places of manifests, by the flags `-f`, `-R` and `-k`. */
export interface ManifestPlaces {
  readonly filename: readonly string[];
  readonly recursive?: boolean;
  readonly kustomize?: string | undefined;
}

/**
 * Reads the files of `-f` (standard input, a file, the files of a folder, a URL), and what
 * `kustomize` builds from the folder of `-k`.
 */
export async function readManifestFiles(places: ManifestPlaces, io: CliIo): Promise<ManifestFile[]> {
  const { filename, recursive = false, kustomize } = places;
  if (kustomize && filename.length > 0) throw new CliError('only one of -f and -k can be given');
  if (kustomize) {
    const { runKustomize } = await import('./run-kustomize.ts');
    return [{ name: kustomize, bytes: await runKustomize(kustomize, io) }];
  }
  const files: ManifestFile[] = [];
  for (const name of filename.flatMap((names) => names.split(',')).filter(Boolean)) {
    files.push(...(await readPlace(name, recursive, io)));
  }
  return files;
}

async function readPlace(name: string, recursive: boolean, io: CliIo): Promise<ManifestFile[]> {
  if (name === '-') return [{ name: 'STDIN', bytes: await buffer(io.stdin) }];
  if (/^https?:\/\//.test(name)) {
    const { fetchManifest } = await import('./fetch-manifest.ts');
    return [{ name, bytes: await fetchManifest(name, io.signal) }];
  }
  const path = resolve(io.directory, name);
  const found = await stat(path).catch(unreadable(name));
  if (!found.isDirectory()) return [{ name, bytes: await readFile(path).catch(unreadable(name)) }];
  const names = await filesIn(path, name, recursive);
  return Promise.all(
    names.map(async (file) => ({
      name: file,
      bytes: await readFile(resolve(io.directory, file)).catch(unreadable(file)),
    })),
  );
}

/** The files of a folder that are named like manifests, sorted by path. */
async function filesIn(path: string, name: string, recursive: boolean): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(unreadable(name));
  const sorted = entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const files: string[] = [];
  for (const entry of sorted) {
    const below = join(name, entry.name);
    if (entry.isDirectory() && recursive) files.push(...(await filesIn(join(path, entry.name), below, true)));
    else if (!entry.isDirectory() && /\.(?:json|ya?ml)$/.test(entry.name)) files.push(below);
  }
  return files;
}

function unreadable(name: string): (cause: unknown) => never {
  return (cause) => {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const problem = readErrors[code] ?? `cannot be read (${code})`;
    throw new CliError(`${name} ${problem}`, {
      hint: 'give -f a file, a folder, a URL, or - for standard input',
      cause,
    });
  };
}

const readErrors: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read',
};
