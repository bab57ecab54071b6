import { constants, type NodeGCPerformanceDetail, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { forceFullCollection } from './force-full-collection.ts';

/** When the heap of an idle process is collected. */
interface IdleCollection {
  /** The shortest time between two full collections, which is checked four times. */
  readonly restMs: number;
  /** A larger heap is left to V8: its collection would block the event loop for too long. */
  readonly heapBytes: number;
  /** The share of a core up to which the process counts as idle. */
  readonly idleShare: number;
}

const usual: IdleCollection = { restMs: 120_000, heapBytes: 128 << 20, idleShare: 0.05 };

/**
 * Runs a full collection from time to time while the process is idle, which takes some 50 ms. V8
 * starts one only when much was allocated. Without it a server that became idle would keep for
 * hours the data that expires in the minutes after a load: the history of its caches and documents.
 */
export function collectWhenIdle({ restMs, heapBytes, idleShare }: IdleCollection = usual): void {
  let collectedMs = performance.now();
  const observer = new PerformanceObserver((list) => {
    for (const collection of list.getEntries()) {
      if (isFull(collection)) collectedMs = collection.startTime + collection.duration;
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  let [checkedMs, usage] = [performance.now(), process.cpuUsage()];
  const check = (): void => {
    const { user, system } = process.cpuUsage(usage);
    const nowMs = performance.now();
    const isIdle = (user + system) / 1_000 < (nowMs - checkedMs) * idleShare;
    const isDue = nowMs - collectedMs >= restMs && process.memoryUsage().heapUsed <= heapBytes;
    if (isIdle && isDue) forceFullCollection();
    [checkedMs, usage] = [performance.now(), process.cpuUsage()];
  };
  setInterval(check, restMs / 4).unref();
}

/** Node's types lack the details of a collection. */
function isFull(collection: PerformanceEntry & { readonly detail?: NodeGCPerformanceDetail }): boolean {
  return collection.detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}
