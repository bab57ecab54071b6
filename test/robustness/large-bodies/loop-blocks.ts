import { machineSlowness } from '../../machine-speed.ts';
import { threadCpuMs } from '../../thread-cpu.ts';

/** The longest time for which one turn of the event loop may keep all other requests waiting, in milliseconds. */
export const longestBlockMs = 250;

/** Blocks that no test objects to on any machine: how fast this one is need not be known for them. */
const shortBlockMs = 40;

/** What work has answered, and the longest turn of the event loop meanwhile. */
export interface Measured<T> {
  readonly result: T;
  readonly blockMs: number;
}

/**
 * Runs work in this process and measures the turns of the event loop, by the CPU time of its thread: wall time grows
 * on a busy machine without work. It is that of the machine for which the bound is stated: a slower one takes longer.
 */
export async function measureBlocks<T>(work: () => Promise<T>): Promise<Measured<T>> {
  let longestMs = 0;
  let isDone = false;
  let cpuMs = threadCpuMs();
  const turn = (): void => {
    const nextMs = threadCpuMs();
    longestMs = Math.max(longestMs, nextMs - cpuMs);
    cpuMs = nextMs;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    const result = await work();
    turn();
    return { result, blockMs: longestMs < shortBlockMs ? longestMs : longestMs / machineSlowness() };
  } finally {
    isDone = true;
  }
}
