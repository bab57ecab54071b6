import { storePrefix } from './object-key.ts';
import type { ObjectStore } from './object-store.ts';

/**
 * A store in which some resources are in other stores. Reads and writes are routed by the first
 * segment of the key after the prefix. Revisions of different stores are not comparable. Watches,
 * compaction and status are of the main store; the others have their own.
 */
export function routedStore(main: ObjectStore, prefix: string, others: ReadonlyMap<string, ObjectStore>): ObjectStore {
  if (others.size === 0) return main;
  const start = storePrefix(prefix).length;
  const of = (key: string): ObjectStore => others.get(key.slice(start, key.indexOf('/', start))) ?? main;
  return {
    get: (key, options) => of(key).get(key, options),
    create: (key, value, options) => of(key).create(key, value, options),
    update: (key, value, revision, options) => of(key).update(key, value, revision, options),
    delete: (key, revision, options) => of(key).delete(key, revision, options),
    list: (keys, options) => of(keys).list(keys, options),
    watch: (...args) => main.watch(...args),
    compact: (...args) => main.compact(...args),
    status: (...args) => main.status(...args),
    async close() {
      await Promise.all([main, ...new Set(others.values())].map((store) => store.close()));
    },
  };
}
