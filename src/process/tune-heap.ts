import { constants, type NodeGCPerformanceDetail, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * Usual size of the young generation: two semi-spaces of 4 MiB. Enough for reads and a few
 * concurrent writes.
 */
const usualBytes = 8 * 1024 * 1024;

/** Largest size under load: two semi-spaces of 16 MiB, the maximum of V8 in Node 20. */
const mostBytes = 32 * 1024 * 1024;

/**
 * Milliseconds per second that minor collections may take before the young generation counts as
 * too small.
 */
const bearableMs = 30;

/** The load at which the heap settings change, and their values. */
interface HeapTuning {
  /** Number of consecutive seconds in which minor collections take too long. Default 2. */
  readonly sustainedSeconds?: number;
  /**
   * Growth of the heap between two full collections under load, in percent of the live objects;
   * 0: V8's own choice. Default 100.
   */
  readonly heapGrowthPercent?: number;
}

/**
 * Tunes V8's heap: small while the server is idle, larger under a load of writes.
 *
 * The young generation is kept from doubling beyond the usual size, unless minor collections take
 * more than 3 % of the time for some seconds. Otherwise the initial list of a cache would triple it
 * for no gain. With many concurrent writes a larger one pays: the objects of a write are alive
 * until etcd responds, and each minor collection copies them. While the young generation is larger,
 * the heap may double between two full collections. V8 would otherwise start one for every few
 * megabytes, because it counts only their time on the main thread. V8 frees the memory after a
 * minute of low load.
 *
 * V8 reads both flags at run time, unlike most of its flags.
 */
export function tuneHeap({ sustainedSeconds = 2, heapGrowthPercent = 100 }: HeapTuning = {}): void {
  const tooSmall = lastingShortage(sustainedSeconds);
  const setGrowthFactor = flag('semi-space-growth-factor', 2);
  const setHeapGrowth = flag('heap-growing-percent', 0);
  let loaded = false;
  const observer = new PerformanceObserver((list) => {
    const lasting = tooSmall(list.getEntries());
    const bytes = youngBytes();
    // V8 may have doubled before the first call, so the size alone does not show a load.
    loaded = lasting || (loaded && bytes > usualBytes);
    setGrowthFactor(bytes < (lasting ? mostBytes : usualBytes) ? 2 : 1);
    setHeapGrowth(loaded ? heapGrowthPercent : 0);
  });
  observer.observe({ entryTypes: ['gc'] });
}

/** A V8 flag that is set only when its value changes. */
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

/**
 * Returns a function that gets each new collection and reports whether minor collections took too
 * long in each of the last `sustainedSeconds` seconds.
 */
function lastingShortage(sustainedSeconds: number): (collections: readonly PerformanceEntry[]) => boolean {
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
    return seconds >= sustainedSeconds;
  };
}

/** Node's types lack the details of a collection. */
function isOfTheYoung(collection: PerformanceEntry & { readonly detail?: NodeGCPerformanceDetail }): boolean {
  return collection.detail?.kind === constants.NODE_PERFORMANCE_GC_MINOR;
}
