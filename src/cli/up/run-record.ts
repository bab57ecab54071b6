import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Who runs in a data directory: this process, and the parts that it started. */
interface RunRecord {
  readonly supervisor: number;
  readonly parts: Readonly<Record<string, number>>;
}

const stopTimeoutMs = 5000;

/** Keeps the record of this run. */
export async function writeRunRecord(dataDir: string, record: RunRecord): Promise<void> {
  await writeFile(recordFile(dataDir), JSON.stringify(record), { mode: 0o600 });
}

/** Forgets it, after a clean end. */
export async function removeRunRecord(dataDir: string): Promise<void> {
  await rm(recordFile(dataDir), { force: true });
}

/**
 * Looks at the record of an earlier run. Answers the pid of its supervisor where that still runs; otherwise ends parts that
 * outlived it (it was killed), and answers 0. A process counts as ours only when its command line names the data
 * directory, for pids are used again.
 */
export async function settleEarlierRun(dataDir: string, told: (name: string, pid: number) => void): Promise<number> {
  const record = await readRunRecord(dataDir);
  if (!record) return 0;
  if (record.supervisor !== process.pid && (await commandLine(record.supervisor)).split(/\s+/).includes('up'))
    return record.supervisor;
  // Last started, first ended, as in an orderly stop.
  for (const [name, pid] of Object.entries(record.parts).toReversed()) {
    if (!(await commandLine(pid)).includes(dataDir)) continue;
    told(name, pid);
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

/** Answers whether the process was there; asking again with the same signal does no harm. */
function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** '' where there is no such process. */
async function commandLine(pid: number): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)]);
    return stdout.trim();
  } catch {
    // No ps (a slim image): /proc has the same where there is one.
    const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return raw.replaceAll('\0', ' ').trim();
  }
}

async function readRunRecord(dataDir: string): Promise<RunRecord | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(recordFile(dataDir), 'utf8'));
    const complete = typeof value === 'object' && value !== null && 'supervisor' in value && 'parts' in value;
    // Written by `writeRunRecord`; a file that is damaged otherwise names no process that carries the data directory.
    return complete ? (value as RunRecord) : undefined;
  } catch {
    return undefined;
  }
}

function recordFile(dataDir: string): string {
  return join(dataDir, 'run.json');
}
