import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectory } from './make-directory.ts';
import { temporaryName } from './temporary-name.ts';

/**
 * Writes a file atomically: readers see the old or the new content. Its folder is made if it is
 * missing.
 */
export async function replaceFile(path: string, content: string, mode: number): Promise<void> {
  await makeDirectory(dirname(path));
  const temporary = temporaryName(path);
  try {
    await writeFile(temporary, content, { mode, flag: 'wx' });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Reads a text file; undefined if it does not exist. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
