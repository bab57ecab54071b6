import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { IdentifierSet } from '../../identifiers/identifiers.ts';
import { newDeferred } from '../../async/deferred.ts';
import type { ObjectStore } from '../../storage/port/object-store.ts';
import { StorageError } from '../../storage/port/storage-error.ts';
import { checkStoreIdentity, type StoreLayout } from '../../storage/port/store-identity.ts';
import { errorMessage } from '../../status/error-message.ts';

/** Pause between attempts if the store does not answer. */
const retryMs = 200;

/** Timeout of one attempt: the start waits this long for an etcd that is down. */
const tryMs = 2_000;

interface StoreIdentityCheckOptions {
  readonly store: ObjectStore;
  /** The store as messages name it: `etcd at http://a:2379`. */
  readonly place: string;
  readonly prefix: string;
  readonly identifiers: IdentifierSet;
  /** The layout of keys and values: this server's own, or kube-apiserver's. */
  readonly layout: StoreLayout;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * The check of the store's identifier set, which the first server records in the store. A store
 * must not be used under another set.
 */
export interface StoreIdentityCheck {
  /** The store; its calls fail with `Unavailable` until the check succeeds. */
  readonly store: ObjectStore;
  /**
   * Resolves after the first attempt; true if the store answered. Rejects if the store was
   * written under other identifiers.
   */
  readonly firstTry: Promise<boolean>;
  /**
   * Resolves when the check succeeds. Rejects if it was written under other identifiers, or
   * when the signal aborts.
   */
  readonly checked: Promise<void>;
  /**
   * Checks again after the store may have been replaced; its calls fail until then. Resolves and
   * rejects as `checked`.
   */
  readonly recheck: () => Promise<void>;
  /** Rejects when an attempt finds that the store was written under other identifiers. */
  readonly refused: Promise<never>;
}

/** Checks the store's identifier set, or records it; retries until the store answers. */
export function startStoreIdentityCheck({
  store,
  place,
  prefix,
  identifiers,
  layout,
  log,
  signal,
}: StoreIdentityCheckOptions): StoreIdentityCheck {
  let closed: StorageError | undefined = new StorageError('Unavailable', 'the store has not been reached yet');
  const { promise: refused, reject: refuse } = newDeferred<never>();
  const attempt = async (): Promise<boolean> => {
    const timeout = AbortSignal.timeout(tryMs);
    try {
      await checkStoreIdentity({ store, prefix, identifiers, layout, signal: AbortSignal.any([signal, timeout]) });
      closed = undefined;
      return true;
    } catch (error) {
      if (error instanceof StorageError && error.code === 'Conflict') {
        refuse(error);
        throw error;
      }
      const reason = timeout.aborted ? `no answer within ${tryMs} ms` : errorMessage(error);
      if (!signal.aborted) log.warn({ reason }, `${place} does not answer; the server retries until it does`);
      return false;
    }
  };
  const firstTry = attempt();
  const keepTrying = async (first: Promise<boolean>): Promise<void> => {
    for (let done = await first; !done; done = await attempt()) await sleep(retryMs, undefined, { signal });
  };
  const checked = keepTrying(firstTry);
  const recheck = (): Promise<void> => {
    closed = new StorageError('Unavailable', 'the store may have been replaced and is being checked');
    return keepTrying(attempt());
  };
  // Prevents unhandled rejections; callers await the promises that they need.
  for (const promise of [firstTry, checked, refused]) promise.catch(() => {});
  return { store: gatedStore(store, () => closed), firstTry, checked, recheck, refused };
}

/**
 * The checks of the main store and of others as one. The server starts once the main store is
 * checked; the calls of each other one fail until it is.
 */
export function joinedChecks(main: StoreIdentityCheck, others: readonly StoreIdentityCheck[]): StoreIdentityCheck {
  const all = [main, ...others];
  const refused = Promise.race(all.map((one) => one.refused));
  refused.catch(() => {});
  return {
    ...main,
    recheck: async () => void (await Promise.all(all.map((one) => one.recheck()))),
    refused,
  };
}

async function* passed<T>(source: () => AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  yield* source();
}

/**
 * A store whose calls throw the error of `closed` while there is one; `close` is always passed on.
 */
function gatedStore(store: ObjectStore, closed: () => StorageError | undefined): ObjectStore {
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
