import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createFile } from '../files/create-file.ts';
import { readIfThere } from '../files/replace-file.ts';
import { decodeKey, encodeKey, generateKey } from './generate-key.ts';

/**
 * Returns the private key in a file; creates it with mode 0600 if missing. If several processes
 * create it concurrently, all use the same key.
 */
export async function ensureKeyFile(path: string): Promise<KeyObject> {
  const existing = await readIfThere(path);
  if (existing !== undefined) return decodeKey(existing);
  await createFile(path, encodeKey(await generateKey()), 0o600);
  return decodeKey(await readFile(path, 'utf8'));
}
