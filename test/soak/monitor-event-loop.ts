import { threadCpuMs } from '../thread-cpu.ts';

// Loaded into the server before its program (`node --import`): reports its memory and the longest block of its event loop over IPC.

/** What the server's process reports once a second. */
export interface ProcessSample {
  readonly rss: number;
  /** What V8 has taken for its heap, used or not. */
  readonly heapTotal: number;
  readonly heapUsed: number;
  /** What buffers and other objects outside the heap hold. */
  readonly external: number;
  /** The longest time in which the loop ran nothing else, in milliseconds of its CPU time. */
  readonly blockMs: number;
}

const tickMs = 10;
const reportMs = 1_000;

let lastTick = performance.now();
let lastCpuMs = threadCpuMs();
let blockMs = 0;

setInterval(() => {
  const now = performance.now();
  const cpu = threadCpuMs();
  // A thread that the machine did not run is late without having blocked: the CPU time tells the difference.
  blockMs = Math.max(blockMs, Math.min(now - lastTick - tickMs, cpu - lastCpuMs));
  lastTick = now;
  lastCpuMs = cpu;
}, tickMs).unref();

setInterval(() => {
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  process.send?.({ rss, heapTotal, heapUsed, external, blockMs } satisfies ProcessSample);
  blockMs = 0;
}, reportMs).unref();

process.channel?.unref();
