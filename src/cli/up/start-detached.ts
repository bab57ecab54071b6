import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDirectory } from '../../files/make-directory.ts';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';

/** Longer than all parts together may take. */
const timeoutMs = 120_000;
const pollMs = 50;
/** The last line that `cl up` prints when all parts are ready. */
const lastLine = /^Ctrl-C stops everything.*$/m;

/** A run in the background. */
interface DetachedRun {
  readonly args: readonly string[];
  /** The flags by which other commands find it, after a space. */
  readonly chosen: string;
  readonly io: CliIo;
}

/**
 * Starts `cl up` with these arguments as a process that outlives this one, and waits until its
 * parts are ready. Its output is in `logs/up.log` of the data folder.
 */
export async function startDetached(dataDir: string, { args, chosen, io }: DetachedRun): Promise<void> {
  const file = logFileOf(dataDir);
  await makeDirectory(dirname(file));
  const log = openSync(file, 'w', 0o600);
  const line = [process.argv[1] ?? '', 'up', `--data-dir=${dataDir}`, ...args];
  const child = spawn(process.execPath, line, { cwd: io.directory, stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  let ended: string | undefined;
  child.once('error', (error) => (ended = error.message));
  child.once('exit', (code, signal) => (ended = `exit code ${code ?? signal ?? ''}`));
  child.unref();
  const end = performance.now() + timeoutMs;
  try {
    while (!lastLine.test(readFileSync(file, 'utf8'))) {
      if (ended !== undefined || performance.now() > end) throw notStarted(file, ended);
      await sleep(pollMs, undefined, { signal: io.signal });
    }
  } catch (error) {
    // One that is not ready, or no longer wanted, must not run on unseen. It stops its parts.
    if (ended === undefined) child.kill();
    throw error;
  }
  const output = readFileSync(file, 'utf8').replace(
    lastLine,
    `It runs as process ${child.pid ?? 0}; stop it with "cl up down${chosen}".`,
  );
  io.stdout.write(output);
}

function notStarted(file: string, ended: string | undefined): CliError {
  const output = readFileSync(file, 'utf8')
    .trim()
    .replace(/^error: /gm, '');
  // All of the log is in the output.
  if (output !== '') return new CliError(output);
  return new CliError(`it did not start (${ended ?? 'too slow'})`, { hint: `the log is ${file}` });
}

/** The error at the end of the log of the last run in the background; undefined if it has none. */
export async function detachedFailure(dataDir: string): Promise<string | undefined> {
  const log = await readFile(logFileOf(dataDir), 'utf8').catch(() => '');
  const last = log.trimEnd().split('\n').at(-1) ?? '';
  return last.startsWith('error: ') ? last.slice('error: '.length) : undefined;
}

function logFileOf(dataDir: string): string {
  return join(dataDir, 'logs', 'up.log');
}
