import { countOfHistogram } from '../../metrics/count-of-histogram.ts';
import { counterVector, gaugeVector, type Histogram, histogramVector } from '../../metrics/metric-vector.ts';
import { renamedFamily } from '../../metrics/renamed-family.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import type { ListPage, ObjectStore, StoreStatus } from './object-store.ts';
import { StorageError } from './storage-error.ts';
import { type StoreSpans, tracedStore } from './traced-store.ts';

/** The calls that are measured. */
type StoreOperation = 'get' | 'list' | 'create' | 'update' | 'delete' | 'status';

/** Bounds of latencies in seconds, as in kube-apiserver. */
const latencyBounds = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

/** Names the type of the objects under a key, from a limited set. */
type TypeOf = (key: string) => string;

/** The type labels of store metrics, which depend on the release. */
export interface TypeLabels {
  readonly names: readonly string[];
  readonly typeOf: TypeOf;
  /** Returns the Go type, which traces show in every release. */
  readonly goTypeOf: TypeOf;
  /** Returns the label values of a type, in the order of the names. */
  readonly valuesOf: (type: string) => readonly string[];
}

/**
 * Returns a store that measures its calls, including calls that fail. Registers the families, with
 * the names and bounds of kube-apiserver whatever the store is. The read of the present revision,
 * which consistent reads begin with, is the operation `status`; its type is ''. Each page of a list
 * is measured alone.
 */
export function measuredStore(
  store: ObjectStore,
  metrics: MetricsRegistry,
  types: TypeLabels,
  spans?: StoreSpans,
): ObjectStore {
  const { names, typeOf, valuesOf, goTypeOf } = types;
  const latencies = histogramVector(
    {
      name: 'etcd_request_duration_seconds',
      help: 'Etcd request latency in seconds for each operation and object type.',
    },
    ['operation', ...names],
    latencyBounds,
  );
  const errors = counterVector(
    {
      name: 'etcd_request_errors_total',
      help: 'Etcd failed request counts for each operation and object type.',
      since: '1.28',
    },
    ['operation', ...names],
  );
  const lists = listFamilies(names);
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
    countOfHistogram(latencies, {
      name: 'etcd_requests_total',
      help: 'Etcd request counts for each operation and object type.',
      since: '1.28',
    }),
    errors,
    ...Object.values(lists),
    sizes,
    renamedFamily(sizes, {
      name: 'apiserver_storage_size_bytes',
      since: '1.28',
      labelNames: ['storage_cluster_id'],
      labels: () => ({ storage_cluster_id: 'etcd-0' }),
    }),
  );
  const seriesOf = (operation: StoreOperation) => {
    const known = new Map<string, Histogram>();
    // The series of a removed resource are not shown, even if it is served again.
    latencies.onForget(() => known.clear());
    return (type: string): Histogram => {
      let series = known.get(type);
      if (series === undefined) known.set(type, (series = latencies.with(operation, ...valuesOf(type))));
      return series;
    };
  };
  const series: Record<StoreOperation, (type: string) => Histogram> = {
    get: seriesOf('get'),
    create: seriesOf('create'),
    update: seriesOf('update'),
    delete: seriesOf('delete'),
    list: seriesOf('list'),
    status: seriesOf('status'),
  };
  const failed = (operation: StoreOperation, type: string, error: unknown): void => {
    if (isFailure(error)) errors.with(operation, ...valuesOf(type)).add();
  };
  const measured = async <T>(operation: StoreOperation, type: string, call: () => Promise<T>): Promise<T> => {
    const startMs = performance.now();
    try {
      return await call();
    } catch (error) {
      failed(operation, type, error);
      throw error;
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
    list: (prefix, options) => {
      const type = typeOf(prefix);
      const values = valuesOf(type);
      lists.total.with(...values).add();
      return measuredPages(store.list(prefix, options), series.list(type), {
        failed: (error) => failed('list', type, error),
        read: (objects) => {
          for (const family of [lists.fetched, lists.evaluated, lists.returned]) family.with(...values).add(objects);
        },
      });
    },
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
  return spans ? tracedStore(measuredCalls, goTypeOf, spans) : measuredCalls;
}

/** The families of lists. The store returns whole lists; the cache filters them. */
function listFamilies(names: readonly string[]) {
  const family = (name: string, help: string) => counterVector({ name: `apiserver_storage_list_${name}`, help }, names);
  return {
    total: family('total', 'Number of LIST requests served from storage'),
    fetched: family(
      'fetched_objects_total',
      'Number of objects read from storage in the course of serving a LIST request',
    ),
    evaluated: family(
      'evaluated_objects_total',
      'Number of objects tested in the course of serving a LIST request from storage',
    ),
    returned: family('returned_objects_total', 'Number of objects returned for a LIST request from storage'),
  };
}

/** True if a call failed; a condition that does not hold is a regular result. */
function isFailure(error: unknown): boolean {
  return !(error instanceof StorageError) || error.code === 'Unavailable';
}

async function* measuredPages(
  pages: AsyncIterable<ListPage>,
  series: Histogram,
  { failed, read }: { readonly failed: (error: unknown) => void; readonly read: (objects: number) => void },
): AsyncGenerator<ListPage, void, undefined> {
  let startMs = performance.now();
  try {
    for await (const page of pages) {
      observeSince(startMs, series);
      read(page.values.length);
      yield page;
      startMs = performance.now();
    }
  } catch (error) {
    observeSince(startMs, series);
    failed(error);
    throw error;
  }
}

function observeSince(startMs: number, series: Histogram): void {
  series.observe((performance.now() - startMs) / 1_000);
}
