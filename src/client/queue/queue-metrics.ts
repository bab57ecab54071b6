import type { Labels, MetricFamily } from '../../metrics/metric-family.ts';
import { counterVector, gaugeVector, histogramVector } from '../../metrics/metric-vector.ts';

/** Records the metrics of one queue. */
export interface QueueObserver {
  added(depth: number): void;
  /** An item was taken after it waited. */
  started(depth: number, waitedMs: number): void;
  ended(tookMs: number): void;
  retried(): void;
}

/** The metrics of the queues of a process, named as in client-go. */
export interface QueueMetrics {
  /** The families for a metrics registry. */
  readonly families: readonly MetricFamily[];
  /** The observer of one queue. `runningMs` returns the durations of the work in progress. */
  observe(queue: string, runningMs: () => readonly number[]): QueueObserver;
}

/** The bounds of client-go: ten powers of ten from 10 ns. */
const secondsBounds = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10];

/** Creates the metrics for all queues of a process. */
export function createQueueMetrics(): QueueMetrics {
  const counter = (name: string, help: string) => counterVector(description(name, help), ['name']);
  const histogram = (name: string, help: string) => histogramVector(description(name, help), ['name'], secondsBounds);
  const depth = gaugeVector(description('depth', 'Current depth of workqueue'), ['name']);
  const adds = counter('adds_total', 'Total number of adds handled by workqueue');
  const retries = counter('retries_total', 'Total number of retries handled by workqueue');
  const waited = histogram('queue_duration_seconds', 'How long in seconds an item stays in workqueue before being run');
  const worked = histogram('work_duration_seconds', 'How long in seconds processing an item from workqueue takes');
  const running = new Map<string, { readonly labels: Labels; readonly runningMs: () => readonly number[] }>();
  const unfinished = runningFamily('unfinished_work_seconds', 'Seconds of work in progress', running, (seconds) =>
    seconds.reduce((sum, each) => sum + each, 0),
  );
  const longest = runningFamily('longest_running_processor_seconds', 'Seconds of the longest work', running, (each) =>
    Math.max(0, ...each),
  );
  return {
    families: [depth, adds, retries, waited, worked, unfinished, longest],
    observe(name, runningMs) {
      running.set(name, { labels: { name }, runningMs });
      return {
        added(size) {
          adds.with(name).add();
          depth.with(name).value = size;
        },
        started(size, waitedMs) {
          depth.with(name).value = size;
          waited.with(name).observe(waitedMs / 1000);
        },
        ended: (tookMs) => worked.with(name).observe(tookMs / 1000),
        retried: () => retries.with(name).add(),
      };
    },
  };
}

function description(name: string, help: string) {
  return { name: `workqueue_${name}`, help, stability: 'none' } as const;
}

/** A gauge that is computed from the present work of each queue when it is shown. */
function runningFamily(
  name: string,
  help: string,
  queues: ReadonlyMap<string, { readonly labels: Labels; readonly runningMs: () => readonly number[] }>,
  valueOf: (seconds: readonly number[]) => number,
): MetricFamily {
  return {
    ...description(name, help),
    type: 'gauge',
    labelNames: ['name'],
    *samples() {
      for (const { labels, runningMs } of queues.values()) {
        yield { labels, value: valueOf(runningMs().map((each) => each / 1000)) };
      }
    },
  };
}
