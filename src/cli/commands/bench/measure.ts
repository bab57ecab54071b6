/** A kind of request that is sent again and again. */
export interface BenchPhase {
  readonly name: string;
  /** The most calls; absent: as many as fit into the time. */
  readonly limit?: number;
  /** Sends a request; the calls are numbered. */
  readonly call: (index: number) => Promise<unknown>;
}

/** The figures of a phase. Times are in milliseconds. */
export interface BenchResult {
  readonly name: string;
  readonly calls: number;
  readonly failures: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Calls that ended in each of equal parts of the time. */
  readonly overTime: readonly number[];
}

/** Parts of the time of a phase. */
const parts = 20;

interface Call {
  readonly endMs: number;
  readonly tookMs: number;
}

/** Runs a phase until its time is over. Each of the clients sends one request at a time. */
export async function measure(
  { name, limit = Number.POSITIVE_INFINITY, call }: BenchPhase,
  { clients, forMs, signal }: { readonly clients: number; readonly forMs: number; readonly signal: AbortSignal },
): Promise<BenchResult> {
  const calls: Call[] = [];
  let next = 0;
  let failures = 0;
  const startMs = performance.now();
  const runClient = async (): Promise<void> => {
    while (next < limit && performance.now() - startMs < forMs) {
      const index = next++;
      const beginMs = performance.now();
      try {
        await call(index);
        const endMs = performance.now();
        calls.push({ endMs: endMs - startMs, tookMs: endMs - beginMs });
      } catch {
        signal.throwIfAborted();
        failures++;
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, runClient));
  const spentMs = performance.now() - startMs;
  const times = calls.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b);
  const overTime = Array.from({ length: parts }, () => 0);
  for (const { endMs } of calls) {
    const part = Math.min(parts - 1, Math.floor((endMs / spentMs) * parts));
    overTime[part] = (overTime[part] ?? 0) + 1;
  }
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const perSecond = (calls.length / spentMs) * 1000;
  return { name, calls: calls.length, failures, perSecond, p50: at(0.5), p99: at(0.99), overTime };
}

const bars = '▁▂▃▄▅▆▇█';

/** A line of bars, as high as the numbers are of the greatest. */
export function plot(numbers: readonly number[]): string {
  const most = Math.max(...numbers, 1);
  return numbers.map((number) => bars[Math.round((number / most) * (bars.length - 1))] ?? '').join('');
}
