import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { allocatorEnvironment } from '../../memory/allocator-environment.ts';
import { readLogEnd } from '../../files/read-log-end.ts';
import { moduleFile } from '../../package/module-file.ts';
import { lastWordsOf } from './last-words.ts';

/** A program of this package that runs as a child process. */
export interface ChildProgram {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Resolves with the way the process ended. */
  readonly exited: Promise<string>;
  /** Returns the end of the output since its start. */
  logged(): string;
  /** Returns the last words of its output, for messages; '' if they give no reason. */
  lastWords(): string;
  /** Sends SIGTERM, later SIGKILL, and waits for the end. */
  stop(): Promise<void>;
}

/** Longer than the server's shutdown usually takes. */
const stopTimeoutMs = 10_000;

/**
 * Starts the program with this Node. The child is detached, so that Ctrl-C only
 * reaches this process, which stops the children in order. The child is killed when this process
 * exits.
 */
export function startChildProgram(
  name: string,
  program: string,
  args: readonly string[],
  logFile: string,
): ChildProgram {
  mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 });
  const log = openSync(logFile, 'a', 0o600);
  const begin = fstatSync(log).size;
  const child = spawn(process.execPath, [moduleFile(`bin/${program}`), ...args], {
    stdio: ['ignore', log, log],
    detached: true,
    env: allocatorEnvironment(process.env),
  });
  closeSync(log);
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const logged = (): string => readLogEnd(logFile, begin);
  const exited = ended(child).finally(() => process.removeListener('exit', kill));
  return {
    name,
    pid: child.pid ?? 0,
    logFile,
    exited,
    logged,
    lastWords: () => lastWordsOf(logged()),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const timer = setTimeout(kill, stopTimeoutMs);
      child.kill('SIGTERM');
      await exited;
      clearTimeout(timer);
    },
  };
}

async function ended(child: ChildProcess): Promise<string> {
  try {
    await once(child, 'exit');
    return child.signalCode === null ? `exit code ${child.exitCode}` : `signal ${child.signalCode}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
