import { constants, type NodeGCPerformanceDetail, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Both halves of the young generation, each of 4 MiB: enough for reads, and for a few writes at a time. */
const usualBytes = 8 * 1024 * 1024;

/** Milliseconds of a second that collections of the young generation may take before it counts as too small. */
const bearableMs = 30;

/**
 * Keeps V8 from doubling the young generation once it is large enough, unless collections of it take more than three in a hundred of the
 * time for so many seconds on end. The fill of a cache would make it three times as large for nothing. Many writes at a time are
 * another matter: what each of them has made is alive until etcd answers, and is copied by each collection meanwhile. V8 takes the
 * memory back after a minute of calm. A growth factor is the one part of this that V8 reads as it runs.
 */
export function paceCollector(patienceSeconds = 2): void {
  let factor = 2;
  const tooSmall = lastingShortage(patienceSeconds);
  const observer = new PerformanceObserver((list) => {
    const wanted = tooSmall(list.getEntries()) || youngBytes() < usualBytes ? 2 : 1;
    if (wanted === factor) return;
    factor = wanted;
    setFlagsFromString(`--semi-space-growth-factor=${factor}`);
  });
  observer.observe({ entryTypes: ['gc'] });
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
