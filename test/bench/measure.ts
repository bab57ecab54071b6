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

/** What a run of one operation cost. */
export interface Measurement {
  readonly operationsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU of the measured process for one operation. */
  readonly cpuMicrosPerOperation: number;
}

/** How hard and how long to press. */
export interface Load {
  readonly pid: number;
  readonly clients: number;
  readonly seconds: number;
}

function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Runs an operation from so many clients at once, each as fast as the answers come, after a warm-up of a quarter of the time. */
export async function measure(load: Load, operation: (turn: number) => Promise<void>): Promise<Measurement> {
  let turn = 0;
  const press = async (seconds: number): Promise<number[]> => {
    const times: number[] = [];
    const end = performance.now() + seconds * 1000;
    const client = async (): Promise<void> => {
      while (performance.now() < end) {
        const start = performance.now();
        await operation(turn++);
        times.push(performance.now() - start);
      }
    };
    await Promise.all(Array.from({ length: load.clients }, client));
    return times;
  };
  await press(load.seconds / 4);
  const before = cpuSeconds(load.pid);
  const start = performance.now();
  const times = await press(load.seconds);
  const elapsed = (performance.now() - start) / 1000;
  const cpu = cpuSeconds(load.pid) - before;
  const sorted = times.toSorted((a, b) => a - b);
  return {
    operationsPerSecond: times.length / elapsed,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    cpuMicrosPerOperation: (cpu / times.length) * 1e6,
  };
}
