import { open, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { encodeYaml } from '../../codec/encode-yaml.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { sortKeys } from '../../meta/sort-keys.ts';
import { makeDirectory } from '../../pki/make-directory.ts';
import { CliError } from '../cli-error.ts';

const lockAttempts = 40;
const lockPauseMs = 50;

/**
 * Calls `change` while no other program changes the file, which is locked as kubectl locks it:
 * by a file beside it.
 */
export async function withConfigLock<Result>(path: string, change: () => Promise<Result>): Promise<Result> {
  const lock = `${path}.lock`;
  await makeDirectory(dirname(path)).catch((cause: unknown) => {
    throw notWritten(path, cause);
  });
  for (let left = lockAttempts; ; left--) {
    try {
      await (await open(lock, 'wx', 0o600)).close();
      break;
    } catch (cause) {
      const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
      if (!isTaken) throw notWritten(path, cause);
      if (left === 0) {
        throw new CliError(`${path} is being changed by another program`, { hint: `if not, remove ${lock}`, cause });
      }
      await pause(lockPauseMs);
    }
  }
  try {
    return await change();
  } finally {
    await rm(lock, { force: true });
  }
}

/**
 * Replaces a client config as a whole, so that readers see the old or the new one. Only the owner
 * can read it. A link stays one.
 */
export async function writeConfigFile(path: string, root: JsonObject): Promise<void> {
  const file = await realpath(path).catch(() => path);
  const partial = `${file}.${process.pid}`;
  const complete: JsonObject = { apiVersion: 'v1', kind: 'Config', clusters: [], contexts: [], users: [], ...root };
  try {
    const handle = await open(partial, 'w', 0o600);
    try {
      await handle.writeFile(encodeYaml(sortKeys(complete)));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, file);
  } catch (cause) {
    await rm(partial, { force: true });
    throw notWritten(path, cause);
  }
}

function notWritten(path: string, cause: unknown): CliError {
  const hint = cause instanceof Error ? cause.message : String(cause);
  return new CliError(`${path} cannot be written`, { hint, cause });
}
