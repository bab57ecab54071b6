import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Only the owner may look into a directory. */
const ownersOnly = 0o700;

/**
 * Creates a directory with its missing parents, by default with mode 0700. Node's own recursive
 * `mkdir` never returns where a file system reports that a parent is missing which exists, as
 * `/proc` does.
 */
export async function makeDirectory(path: string, mode = ownersOnly): Promise<void> {
  if (await isMade(path, mode)) return;
  await makeDirectory(dirname(path), mode);
  await mkdir(path, { mode }).catch(async (error: unknown) => {
    if (codeOf(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
  });
}

/** Creates a directory whose parent exists. Returns false if the parent is missing. */
async function isMade(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && dirname(path) !== path) return false;
    if (await isDirectory(path)) return true;
    throw error;
  }
}

/** A read-only file system refuses a directory that exists with another code than EEXIST. */
async function isDirectory(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** The code of an error of the file system, such as `ENOENT`. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
