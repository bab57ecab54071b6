import type { MetricFamily } from '../../metrics/metric-family.ts';
import { counterVector, gaugeVector, histogramVector } from '../../metrics/metric-vector.ts';

/** Records the lists and watches of one informer. */
export interface InformerObserver {
  listed(items: number, tookMs: number): void;
  /** A watch ended. `isShort`: early, without an event. */
  watched(items: number, tookMs: number, isShort: boolean): void;
  reached(resourceVersion: string): void;
}

/** The metrics of the informers of a process, named as in client-go's reflectors. */
export interface InformerMetrics {
  /** The families for a metrics registry. */
  readonly families: readonly MetricFamily[];
  /** The observer of the informers with one name, such as `deployments.apps`. */
  observe(name: string): InformerObserver;
}

const secondsBounds = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 30, 60, 300, 600];
const itemBounds = [1, 10, 100, 1000, 10_000, 100_000];

/** Creates the metrics for all informers of a process. */
export function createInformerMetrics(): InformerMetrics {
  const lists = counterVector(description('lists_total', 'Total number of API lists done by the reflectors'), ['name']);
  const listSeconds = histogramVector(
    description('list_duration_seconds', 'How long an API list takes to return and decode for the reflectors'),
    ['name'],
    secondsBounds,
  );
  const listItems = histogramVector(
    description('items_per_list', 'How many items an API list returns to the reflectors'),
    ['name'],
    itemBounds,
  );
  const watches = counterVector(description('watches_total', 'Total number of API watches done by the reflectors'), [
    'name',
  ]);
  const shortWatches = counterVector(
    description('short_watches_total', 'Total number of short API watches done by the reflectors'),
    ['name'],
  );
  const watchSeconds = histogramVector(
    description('watch_duration_seconds', 'How long an API watch takes to return and decode for the reflectors'),
    ['name'],
    secondsBounds,
  );
  const watchItems = histogramVector(
    description('items_per_watch', 'How many items an API watch returns to the reflectors'),
    ['name'],
    itemBounds,
  );
  const version = gaugeVector(description('last_resource_version', 'Last resource version seen for the reflectors'), [
    'name',
  ]);
  return {
    families: [lists, listSeconds, listItems, watches, shortWatches, watchSeconds, watchItems, version],
    observe(name) {
      const reached = version.with(name);
      return {
        listed(items, tookMs) {
          lists.with(name).add();
          listSeconds.with(name).observe(tookMs / 1000);
          listItems.with(name).observe(items);
        },
        watched(items, tookMs, isShort) {
          watches.with(name).add();
          if (isShort) shortWatches.with(name).add();
          watchSeconds.with(name).observe(tookMs / 1000);
          watchItems.with(name).observe(items);
        },
        reached(resourceVersion) {
          reached.value = Number(resourceVersion) || 0;
        },
      };
    },
  };
}

function description(name: string, help: string) {
  return { name: `reflector_${name}`, help, stability: 'none' } as const;
}
