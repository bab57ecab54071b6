import { constants, type NodeGCPerformanceDetail, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Both halves of the young generation, each of 4 MiB: enough for reads, and for a few writes at a time. */
const usualBytes = 8 * 1024 * 1024;

/** Under load, halves of 16 MiB, which is as far as V8 goes in Node 20. */
const mostBytes = 32 * 1024 * 1024;

/** Milliseconds of a second that collections of the young generation may take before it counts as too small. */
const bearableMs = 30;

/** What a load is, and what it is given. */
export interface CollectorPace {
  /** For so many seconds on end collections of the young generation must have taken too long. 2 by default. */
  readonly patienceSeconds?: number;
  /** How much the heap may grow between two full collections then, in hundredths of what is alive; 0: as V8 thinks fit. 100 by default. */
  readonly growthUnderLoad?: number;
}

/**
 * Gives V8's collector little room while a server does little, and more under a load of writes.
 *
 * The young generation is kept from doubling once it is large enough, unless collections of it take more than three in a hundred of the
 * time for some seconds on end. The fill of a cache would make it three times as large for nothing. Many writes at a time are
 * another matter: what each of them has made is alive until etcd answers, and is copied by each collection meanwhile. As long as it is
 * larger, the heap may double between two full collections: V8 would have one for every few megabytes, and counts what they take
 * of the main thread alone. It takes the memory back after a minute of calm.
 *
 * Both are read by V8 as it runs, as few of its settings are.
 */
export function paceCollector({ patienceSeconds = 2, growthUnderLoad = 100 }: CollectorPace = {}): void {
  const tooSmall = lastingShortage(patienceSeconds);
  const setGrowthFactor = flag('semi-space-growth-factor', 2);
  const setHeapGrowth = flag('heap-growing-percent', 0);
  let loaded = false;
  const observer = new PerformanceObserver((list) => {
    const lasting = tooSmall(list.getEntries());
    const bytes = youngBytes();
    // V8 may have doubled once too often before this was first called, so that the size alone does not tell.
    loaded = lasting || (loaded && bytes > usualBytes);
    setGrowthFactor(bytes < (lasting ? mostBytes : usualBytes) ? 2 : 1);
    setHeapGrowth(loaded ? growthUnderLoad : 0);
  });
  observer.observe({ entryTypes: ['gc'] });
}

/** A flag of V8's that is set when its value changes. */
function flag(name: string, initial: number): (value: number) => void {
  let current = initial;
  return (value) => {
    if (value === current) return;
    current = value;
    setFlagsFromString(`--${name}=${value}`);
  };
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? usualBytes;
}

/** Is told of collections as they happen, and answers whether those of the last so many seconds took too long, each second for itself. */
function lastingShortage(patienceSeconds: number): (collections: readonly PerformanceEntry[]) => boolean {
  let [secondBegan, spentMs, seconds] = [0, 0, 0];
  return (collections) => {
    for (const collection of collections) {
      const { duration, startTime } = collection;
      if (startTime >= secondBegan + 1000) {
        seconds = spentMs > bearableMs ? seconds + 1 : 0;
        [secondBegan, spentMs] = [startTime, 0];
      }
      if (isOfTheYoung(collection)) spentMs += duration;
    }
    return seconds >= patienceSeconds;
  };
}

/** The types of Node leave out what is told of a collection. */
function isOfTheYoung(collection: PerformanceEntry & { readonly detail?: NodeGCPerformanceDetail }): boolean {
  return collection.detail?.kind === constants.NODE_PERFORMANCE_GC_MINOR;
}
