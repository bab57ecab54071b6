import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RecordingError } from '../../recording/recording-file.ts';
import { CliError } from '../cli-error.ts';

/**
 * Restores a snapshot into the store of a data folder, which has a mark until all keys are written:
 * a restore that was killed cannot say that it is incomplete.
 */
export async function markRestore<Value>(dataDir: string, restore: () => Promise<Value>): Promise<Value> {
  const file = markOf(dataDir);
  const isIncomplete = existsSync(file);
  await writeFile(file, '', { mode: 0o600 });
  try {
    const restored = await restore();
    await rm(file, { force: true });
    return restored;
  } catch (error) {
    const problem = error instanceof RecordingError ? error.code : undefined;
    if (problem !== 'StoreIncomplete' && !isIncomplete) await rm(file, { force: true });
    throw isIncomplete && problem === 'StoreNotEmpty' ? incomplete(dataDir, error) : error;
  }
}

/** Throws CliError if a snapshot was not restored to its end into the store of a data folder. */
export function refuseIncompleteStore(dataDir: string): void {
  if (existsSync(markOf(dataDir))) throw incomplete(dataDir);
}

function incomplete(dataDir: string, cause?: unknown): CliError {
  return new CliError(`the data in ${dataDir} is incomplete: a snapshot was not restored to its end`, {
    hint: 'delete it with "cl up reset", and restore again',
    cause,
  });
}

function markOf(dataDir: string): string {
  return join(dataDir, 'restoring');
}
