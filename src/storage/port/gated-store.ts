import type { ObjectStore } from './object-store.ts';
import type { StorageError } from './storage-error.ts';

async function* passed<T>(source: () => AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  yield* source();
}

/**
 * A store whose calls throw the error that `closed` returns, until that is undefined. `close` is
 * always passed on.
 */
export function gatedStore(store: ObjectStore, closed: () => StorageError | undefined): ObjectStore {
  const opened = (): ObjectStore => {
    const error = closed();
    if (error) throw error;
    return store;
  };
  return {
    get: async (...args) => opened().get(...args),
    create: async (...args) => opened().create(...args),
    update: async (...args) => opened().update(...args),
    delete: async (...args) => opened().delete(...args),
    compact: async (...args) => opened().compact(...args),
    status: async (...args) => opened().status(...args),
    list: (...args) => passed(() => opened().list(...args)),
    watch: (...args) => passed(() => opened().watch(...args)),
    close: () => store.close(),
  };
}
