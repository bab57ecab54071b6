import type { Tracing } from '../../tracing/span.ts';
import type { ListOptions, ListPage, ObjectStore } from './object-store.ts';

/** The tracing of the calls of a store. */
export interface StoreSpans {
  readonly tracing: Tracing;
  /** The prefix of keys, which is left out of spans. */
  readonly prefix: string;
}

/**
 * Wraps a store so that its calls have spans, with the names and attributes of kube-apiserver where
 * these exist.
 */
export function tracedStore(
  store: ObjectStore,
  typeOf: (key: string) => string,
  { tracing, prefix }: StoreSpans,
): ObjectStore {
  const shown = (key: string): string => (key.startsWith(prefix) ? key.slice(prefix.length) : key);
  const traced = <Result>(name: string, key: string, call: () => Promise<Result>): Promise<Result> =>
    tracing.child(name, () => ({ key: shown(key), type: typeOf(key) }), call);
  return {
    get: (key, options) => traced('Get etcd3', key, () => store.get(key, options)),
    create: (key, value, options) => traced('Create etcd3', key, () => store.create(key, value, options)),
    update: (key, value, expected, options) =>
      traced('GuaranteedUpdate etcd3', key, () => store.update(key, value, expected, options)),
    delete: (key, expected, options) => traced('Delete etcd3', key, () => store.delete(key, expected, options)),
    list: (keys, options) => tracedPages(tracing, shown(keys), options, () => store.list(keys, options)),
    watch: (keys, options) => store.watch(keys, options),
    compact: (revision, options) => store.compact(revision, options),
    status: (options) => store.status(options),
    close: () => store.close(),
  };
}

/** The span of a list ends when its reader has consumed the last page. */
async function* tracedPages(
  tracing: Tracing,
  key: string,
  { limit = 0, revision = 0 }: ListOptions = {},
  open: () => AsyncIterable<ListPage>,
): AsyncGenerator<ListPage, void, undefined> {
  const span = tracing.current();
  const startMs = performance.now();
  try {
    yield* open();
  } finally {
    const attributes = { key, limit, resourceVersion: String(revision) };
    span?.add('List(recursive=true) etcd3', startMs, performance.now(), attributes);
  }
}
