import { performance } from 'node:perf_hooks';

/** The longest time for which one turn of the event loop may keep all other requests waiting, in milliseconds. */
export const longestBlockMs = 250;

/** What work has answered, and the longest turn of the event loop meanwhile. */
export interface Measured<T> {
  readonly result: T;
  readonly blockMs: number;
}

/**
 * Runs work in this process and measures the turns of the event loop. A turn counts with its wall time or its CPU time,
 * whichever is less: on a busy machine the one grows without work, and other threads add to the other. Both are divided
 * by what the machine is slower than usual at the time.
 */
export async function measureBlocks<T>(work: () => Promise<T>): Promise<Measured<T>> {
  const slowness = machineSlowness();
  let longestMs = 0;
  let isDone = false;
  let [wall, cpu] = [performance.now(), cpuMs()];
  const turn = (): void => {
    const [nextWall, nextCpu] = [performance.now(), cpuMs()];
    longestMs = Math.max(longestMs, Math.min(nextWall - wall, nextCpu - cpu));
    [wall, cpu] = [nextWall, nextCpu];
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    const result = await work();
    turn();
    return { result, blockMs: longestMs / slowness };
  } finally {
    isDone = true;
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** What the reference work takes on an ordinary machine that does nothing else. */
const usualReferenceMs = 30;

/** More than this is no excuse. */
const mostSlowness = 3;

/** How many times slower than usual the machine is now: others that run beside this process share its caches. */
function machineSlowness(): number {
  const begin = cpuMs();
  const texts = Array.from({ length: 40_000 }, (_, index) => `item-${(index * 7919) % 40_000}`);
  JSON.stringify(Object.fromEntries(texts.map((text) => [text, { text }])));
  return Math.min(mostSlowness, Math.max(1, (cpuMs() - begin) / usualReferenceMs));
}
