import { link, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, makeDirectory } from './make-directory.ts';
import { temporaryName } from './temporary-name.ts';

/**
 * Writes a file that does not exist yet, atomically. Returns false if it exists, and leaves it as
 * it is. If several processes create it concurrently, one succeeds: a hard link, unlike a rename,
 * fails if the name exists.
 */
export async function createFile(path: string, content: string, mode: number): Promise<boolean> {
  await makeDirectory(dirname(path));
  const temporary = temporaryName(path);
  try {
    await writeFile(temporary, content, { mode, flag: 'wx' });
    await link(temporary, path);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return false;
  } finally {
    await rm(temporary, { force: true });
  }
}
