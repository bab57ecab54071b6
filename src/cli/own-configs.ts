import { readFileSync, realpathSync, statSync } from 'node:fs';
import { appendFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeDirectory } from '../files/make-directory.ts';
import type { CliIo } from './cli-io.ts';

/**
 * Records that `cl up` of this user wrote a client config, so that it counts in its folder. Rejects
 * if the home directory cannot be written.
 */
export async function recordOwnConfig(path: string, io: CliIo): Promise<void> {
  const file = recordOf(io);
  const line = lineOf(await realpath(path));
  if (recordedLines(io).includes(line)) return;
  await makeDirectory(dirname(file));
  // A line is written at once, so that two programs may do it at the same time.
  await appendFile(file, `${line}\n`, { mode: 0o600 });
}

/**
 * True for a client config that `cl up` of this user wrote, and that nobody else can change: a
 * folder from elsewhere may have one that leads to another server, or runs a program.
 */
export function isOwnConfig(path: string, io: CliIo): boolean {
  try {
    const { uid, mode } = statSync(path);
    const isOfUser = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    return isOfUser && recordedLines(io).includes(lineOf(realpathSync(path)));
  } catch {
    return false;
  }
}

/** The paths are lines of JSON, because a path may have a line end. */
function lineOf(path: string): string {
  return JSON.stringify(path);
}

function recordedLines(io: CliIo): readonly string[] {
  try {
    return readFileSync(recordOf(io), 'utf8').split('\n');
  } catch {
    return [];
  }
}

function recordOf(io: CliIo): string {
  return join(io.env['HOME'] ?? homedir(), '.cl', 'own-configs');
}
