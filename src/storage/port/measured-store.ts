import { gaugeVector, type Histogram, histogramVector, seriesByLabel } from '../../metrics/metric-vector.ts';
import { renamedFamily } from '../../metrics/renamed-family.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import { type StoreSpans, tracedStore } from './traced-store.ts';
import type { ListOptions, ListPage, ObjectStore, StoreStatus } from './object-store.ts';

/** The calls that are measured. */
type StoreOperation = 'get' | 'list' | 'create' | 'update' | 'delete' | 'status';

/** Bounds of latencies in seconds, as in kube-apiserver. */
const latencyBounds = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

/** Names the type of the objects under a key, from a limited set. */
type TypeOf = (key: string) => string;

/**
 * Returns a store that measures its calls, including calls that fail. Registers the families, with
 * the names and bounds of kube-apiserver whatever the store is. The read of the present revision,
 * which consistent reads begin with, is the operation `status`; its type is ''. Each page of a list
 * is measured alone.
 */
export function measuredStore(
  store: ObjectStore,
  metrics: MetricsRegistry,
  typeOf: TypeOf,
  spans?: StoreSpans,
): ObjectStore {
  const latencies = histogramVector(
    {
      name: 'etcd_request_duration_seconds',
      help: 'Etcd request latency in seconds for each operation and object type.',
    },
    ['operation', 'type'],
    latencyBounds,
  );
  const sizes = gaugeVector(
    {
      name: 'etcd_db_total_size_in_bytes',
      help: 'Total size of the etcd database file physically allocated in bytes.',
      merge: 'largest',
    },
    ['endpoint'],
  );
  metrics.register(
    latencies,
    sizes,
    renamedFamily(sizes, {
      name: 'apiserver_storage_size_bytes',
      since: '1.28',
      labelNames: ['storage_cluster_id'],
      labels: () => ({ storage_cluster_id: 'etcd-0' }),
    }),
  );
  const series: Record<StoreOperation, (type: string) => Histogram> = {
    get: seriesByLabel(latencies, 'get'),
    create: seriesByLabel(latencies, 'create'),
    update: seriesByLabel(latencies, 'update'),
    delete: seriesByLabel(latencies, 'delete'),
    list: seriesByLabel(latencies, 'list'),
    status: seriesByLabel(latencies, 'status'),
  };
  const measured = async <T>(operation: StoreOperation, type: string, call: () => Promise<T>): Promise<T> => {
    const startMs = performance.now();
    try {
      return await call();
    } finally {
      observeSince(startMs, series[operation](type));
    }
  };
  const measuredCalls: ObjectStore = {
    get: (key, options) => measured('get', typeOf(key), () => store.get(key, options)),
    create: (key, value, options) => measured('create', typeOf(key), () => store.create(key, value, options)),
    update: (key, value, expected, options) =>
      measured('update', typeOf(key), () => store.update(key, value, expected, options)),
    delete: (key, expected, options) => measured('delete', typeOf(key), () => store.delete(key, expected, options)),
    list: (prefix, options) => measuredPages(store, prefix, options, series.list(typeOf(prefix))),
    watch: (prefix, options) => store.watch(prefix, options),
    compact: (revision, options) => store.compact(revision, options),
    async status(options): Promise<StoreStatus> {
      const status = await measured('status', '', () => store.status(options));
      const { database } = status;
      if (database) sizes.with(database.endpoint).value = database.bytes;
      return status;
    },
    close: () => store.close(),
  };
  return spans ? tracedStore(measuredCalls, typeOf, spans) : measuredCalls;
}

async function* measuredPages(
  store: ObjectStore,
  prefix: string,
  options: ListOptions | undefined,
  series: Histogram,
): AsyncGenerator<ListPage, void, undefined> {
  let startMs = performance.now();
  try {
    for await (const page of store.list(prefix, options)) {
      observeSince(startMs, series);
      yield page;
      startMs = performance.now();
    }
  } catch (error) {
    observeSince(startMs, series);
    throw error;
  }
}

function observeSince(startMs: number, series: Histogram): void {
  series.observe((performance.now() - startMs) / 1_000);
}
