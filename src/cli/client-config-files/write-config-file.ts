import { open, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { encodeYaml } from '../../codec/encode-yaml.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { sortKeys } from '../../meta/sort-keys.ts';
import { makeDirectory } from '../../files/make-directory.ts';
import { temporaryName } from '../../files/temporary-name.ts';
import { CliError } from '../cli-error.ts';

/** Longer than a dozen programs take that change a file at the same time. */
const usualWaitMs = 10_000;
const lockPauseMs = 50;

/** How long to wait for other programs. */
interface LockOptions {
  /** 10 s by default. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Calls `change` while no other program changes these files, which are locked as kubectl locks
 * them: by files beside them. They are locked in one order, so that two programs never wait for
 * each other.
 */
export async function withConfigLocks<Result>(
  paths: readonly string[],
  change: () => Promise<Result>,
  options: LockOptions = {},
): Promise<Result> {
  // A link is locked by its own name too, because kubectl knows no other.
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => path)));
  const locked: string[] = [];
  try {
    for (const path of [...new Set([...paths, ...real])].toSorted()) locked.push(await lock(path, options));
    return await change();
  } finally {
    await Promise.all(locked.map((file) => rm(file, { force: true })));
  }
}

async function lock(path: string, { waitMs = usualWaitMs, signal }: LockOptions): Promise<string> {
  const file = `${path}.lock`;
  await makeDirectory(dirname(path)).catch((cause: unknown) => {
    throw notWritten(path, cause);
  });
  const end = performance.now() + waitMs;
  for (;;) {
    try {
      await (await open(file, 'wx', 0o600)).close();
      return file;
    } catch (cause) {
      const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
      if (!isTaken) throw notWritten(path, cause);
      if (performance.now() > end) {
        throw new CliError(`${path} is being changed by another program`, { hint: `if not, remove ${file}`, cause });
      }
      await pause(lockPauseMs, undefined, { signal });
    }
  }
}

/**
 * Replaces a client config as a whole, so that readers see the old or the new one. Only the owner
 * can read it. A link stays one.
 */
export async function writeConfigFile(path: string, root: JsonObject): Promise<void> {
  const file = await realpath(path).catch(() => path);
  const partial = temporaryName(file);
  const complete: JsonObject = { apiVersion: 'v1', kind: 'Config', clusters: [], contexts: [], users: [], ...root };
  try {
    const handle = await open(partial, 'wx', 0o600);
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
