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
 * whichever is less: on a busy machine the one grows without work, and other threads add to the other.
 */
export async function measureBlocks<T>(work: () => Promise<T>): Promise<Measured<T>> {
  let blockMs = 0;
  let isDone = false;
  let [wall, cpu] = [performance.now(), cpuMs()];
  const turn = (): void => {
    const [nextWall, nextCpu] = [performance.now(), cpuMs()];
    blockMs = Math.max(blockMs, Math.min(nextWall - wall, nextCpu - cpu));
    [wall, cpu] = [nextWall, nextCpu];
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    return {
      result: await work(),
      get blockMs() {
        return blockMs;
      },
    };
  } finally {
    isDone = true;
    turn();
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
