import type { KeyObject } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectory } from '../files/make-directory.ts';
import { readIfThere } from '../files/replace-file.ts';
import { temporaryName } from '../files/temporary-name.ts';
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

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
