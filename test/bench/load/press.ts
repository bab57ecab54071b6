import { cpuSeconds, residentBytes } from '../process-usage.ts';
import { type Figures, quantile } from '../figures.ts';

/** How hard and how long to press, and whose CPU is counted. */
export interface Load {
  readonly pid: number;
  readonly clients: number;
  readonly seconds: number;
}

/** One operation of one client; `turn` counts over all clients and is never the same twice. */
export type Operation = (client: number, turn: number) => Promise<unknown>;

/**
 * Runs an operation from so many clients at once, each as fast as the answers come, after a warm-up of a quarter of the time. CPU
 * is that of the pressed process alone; throughput shares the machine with this one.
 */
export async function press({ pid, clients, seconds }: Load, operation: Operation, firstTurn = 0): Promise<Figures> {
  let turn = firstTurn;
  const run = async (forSeconds: number): Promise<number[]> => {
    const times: number[] = [];
    const end = performance.now() + forSeconds * 1000;
    const client = async (index: number): Promise<void> => {
      while (performance.now() < end) {
        const start = performance.now();
        await operation(index, turn++);
        times.push(performance.now() - start);
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
    return times;
  };
  await run(seconds / 4);
  const cpuBefore = cpuSeconds(pid);
  const start = performance.now();
  const times = await run(seconds);
  const elapsed = (performance.now() - start) / 1000;
  const cpu = cpuSeconds(pid) - cpuBefore;
  return {
    operationsPerSecond: times.length / elapsed,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    cpuMicros: (cpu / times.length) * 1e6,
    residentBytes: residentBytes(pid),
  };
}

/** Does something for each number below `count`, `width` at a time; each of the workers has a number of its own. */
export async function eachOf(
  count: number,
  width: number,
  work: (index: number, worker: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const run = async (worker: number): Promise<void> => {
    while (next < count) await work(next++, worker);
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, (_, worker) => run(worker)));
}
