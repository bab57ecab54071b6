import { readFileSync } from 'node:fs';

// Loaded into the server before its program (`node --import`): reports its memory and the longest block of its event loop over IPC.

/** What the server's process reports once a second. */
export interface ProcessSample {
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
  /** The longest time in which the loop ran nothing else, in milliseconds of CPU that the process used meanwhile. */
  readonly blockMs: number;
}

const tickMs = 10;
const reportMs = 1_000;

let lastTick = performance.now();
let lastCpuMs = cpuMs();
let blockMs = 0;

setInterval(() => {
  const now = performance.now();
  const cpu = cpuMs();
  // A thread that the machine did not run is late without having blocked: the CPU time tells the difference.
  blockMs = Math.max(blockMs, Math.min(now - lastTick - tickMs, cpu - lastCpuMs));
  lastTick = now;
  lastCpuMs = cpu;
}, tickMs).unref();

setInterval(() => {
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ rss, heapUsed, external, blockMs } satisfies ProcessSample);
  blockMs = 0;
}, reportMs).unref();

process.channel?.unref();

/** CPU time of this thread in milliseconds; of the whole process where the machine does not tell threads apart. */
function cpuMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}
