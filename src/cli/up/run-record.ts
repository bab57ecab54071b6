import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** The processes that run in a data directory: the supervisor and those that it started. */
export interface RunRecord {
  readonly supervisor: number;
  readonly parts: Readonly<Record<string, number>>;
  /** The address of etcd, if it is one of the parts. */
  readonly etcd?: string | undefined;
  /** The audit log of the API server, if it keeps one. */
  readonly auditLog?: string | undefined;
}

const stopTimeoutMs = 5000;

/** Writes the record of this run. */
export async function writeRunRecord(dataDir: string, record: RunRecord): Promise<void> {
  await writeFile(recordFile(dataDir), JSON.stringify(record), { mode: 0o600 });
}

/** Removes the record after a clean stop. */
export async function removeRunRecord(dataDir: string): Promise<void> {
  await rm(recordFile(dataDir), { force: true });
}

/** The processes that run in a data directory; undefined if its supervisor does not run. */
export async function findRun(dataDir: string): Promise<RunRecord | undefined> {
  const record = await readRunRecord(dataDir);
  return record && (await isSupervisor(record.supervisor)) ? record : undefined;
}

/** Reports whether a process exists. */
export function isRunning(pid: number): boolean {
  return sendSignal(pid, 0);
}

async function isSupervisor(pid: number): Promise<boolean> {
  return (await commandLine(pid)).split(/\s+/).includes('up');
}

/**
 * Checks the record of an earlier run. Returns the pid of its supervisor if that is running.
 * Otherwise stops processes left by a killed supervisor, calls `onStopped` for each, and returns 0.
 * A process only counts if its command line contains the data directory, because pids are reused.
 */
export async function endEarlierRun(dataDir: string, onStopped: (name: string, pid: number) => void): Promise<number> {
  const record = await readRunRecord(dataDir);
  if (!record) return 0;
  if (record.supervisor !== process.pid && (await isSupervisor(record.supervisor))) return record.supervisor;
  // In reverse order of starting, as in a normal stop.
  for (const [name, pid] of Object.entries(record.parts).toReversed()) {
    if (!(await commandLine(pid)).includes(dataDir)) continue;
    onStopped(name, pid);
    await end(pid);
  }
  return 0;
}

async function end(pid: number): Promise<void> {
  const deadline = performance.now() + stopTimeoutMs;
  for (let signal: NodeJS.Signals = 'SIGTERM'; sendSignal(pid, signal); ) {
    await sleep(50);
    if (performance.now() > deadline) signal = 'SIGKILL';
  }
}

/** Sends a signal; returns false if the process does not exist. */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** The command line of a process; '' if there is no such process. */
async function commandLine(pid: number): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)]);
    return stdout.trim();
  } catch {
    // Without `ps` (slim images) /proc has the command line on Linux.
    const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return raw.replaceAll('\0', ' ').trim();
  }
}

async function readRunRecord(dataDir: string): Promise<RunRecord | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(recordFile(dataDir), 'utf8'));
    const complete = typeof value === 'object' && value !== null && 'supervisor' in value && 'parts' in value;
    // Written by `writeRunRecord`. The pids of a damaged file match no process with the data
    // directory in its command line.
    return complete ? (value as RunRecord) : undefined;
  } catch {
    return undefined;
  }
}

function recordFile(dataDir: string): string {
  return join(dataDir, 'run.json');
}
