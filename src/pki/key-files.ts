import { type KeyObject, randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectory } from './make-directory.ts';
import { decodeKey, encodeKey, generateKey } from './generate-key.ts';

/**
 * Returns the private key in a file; creates it with mode 0600 if missing. If several processes
 * create it concurrently, one succeeds and all use its key: a hard link, unlike a rename, fails if
 * the name exists.
 */
export async function ensureKeyFile(path: string): Promise<KeyObject> {
  const existing = await readIfThere(path);
  if (existing !== undefined) return decodeKey(existing);
  await makeDirectory(dirname(path));
  const temporary = temporaryName(path);
  await writeFile(temporary, encodeKey(await generateKey()), { mode: 0o600, flag: 'wx' });
  try {
    await link(temporary, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return decodeKey(await readFile(path, 'utf8'));
}

/** Writes a file atomically: readers see the old or the new content. */
export async function replaceFile(path: string, content: string, mode: number): Promise<void> {
  const temporary = temporaryName(path);
  await makeDirectory(dirname(path));
  await writeFile(temporary, content, { mode, flag: 'wx' });
  await rename(temporary, path);
}

/** Reads a text file; undefined if it does not exist. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function temporaryName(path: string): string {
  return `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
