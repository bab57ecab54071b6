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
let lastCpu = process.cpuUsage();
let blockMs = 0;

setInterval(() => {
  const now = performance.now();
  const cpu = process.cpuUsage(lastCpu);
  // A process that the machine did not run is late without having blocked: the CPU time tells the difference.
  const late = Math.min(now - lastTick - tickMs, (cpu.user + cpu.system) / 1_000);
  blockMs = Math.max(blockMs, late);
  lastTick = now;
  lastCpu = process.cpuUsage();
}, tickMs).unref();

setInterval(() => {
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ rss, heapUsed, external, blockMs } satisfies ProcessSample);
  blockMs = 0;
}, reportMs).unref();

process.channel?.unref();
