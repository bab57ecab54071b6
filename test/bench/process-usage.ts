import { readFileSync } from 'node:fs';

/** Linux counts process times in ticks of this many a second (`getconf CLK_TCK`), on every architecture that Node runs on. */
const ticksPerSecond = 100;

/** CPU seconds, user and system, that a process has used since it began. */
export function cpuSeconds(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The command, in parentheses, may hold spaces; the fields after it do not.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
  const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) * 1024;
}

/** Files and sockets that this process may open. */
export function openFilesLimit(): number {
  const line = /Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'));
  return Number(line?.[1] ?? 1024);
}
