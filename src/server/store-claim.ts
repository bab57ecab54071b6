import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { IdentifierSet } from '../identifiers/identifiers.ts';
import { newDeferred } from '../async/deferred.ts';
import { gatedStore } from '../storage/gated-store.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { StorageError } from '../storage/storage-error.ts';
import { claimStore } from '../storage/store-identity.ts';

/** Pause before another try to claim a store that does not answer. */
const retryMs = 200;

/** How long one try may take: a first start waits no longer for an etcd that is down before it serves what it can. */
const tryMs = 2_000;

interface StoreClaimOptions {
  readonly store: ObjectStore;
  /** Where the store is, for messages: `etcd at http://a:2379`. */
  readonly place: string;
  readonly prefix: string;
  readonly identifiers: IdentifierSet;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** The claim of a server on its store. */
interface StoreClaim {
  /** The store, which answers nothing before it is known to be written under the server's own identifiers. */
  readonly store: ObjectStore;
  /** Resolves when the first try has ended, with whether the store answered. Rejects where it is written under other identifiers. */
  readonly firstTry: Promise<boolean>;
  /** Resolves when the store is claimed. Rejects as `firstTry`, however late that is found, and when the signal aborts. */
  readonly claimed: Promise<void>;
  /** Claims it anew when it may no longer be the store that it was; closed until then. Resolves and rejects as `claimed`. */
  readonly renew: () => Promise<void>;
  /** Rejects when any try finds that the store is written under other identifiers. */
  readonly refused: Promise<never>;
}

function isAnswer(error: unknown): boolean {
  return error instanceof StorageError && error.code === 'Conflict';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Claims the store for a set of identifiers, again until it answers. */
export function startStoreClaim({ store, place, prefix, identifiers, log, signal }: StoreClaimOptions): StoreClaim {
  let closed: StorageError | undefined = new StorageError('Unavailable', 'the store has not been reached yet');
  const { promise: refused, reject: refuse } = newDeferred<never>();
  const attempt = async (): Promise<boolean> => {
    const timeout = AbortSignal.timeout(tryMs);
    try {
      await claimStore({ store, prefix, identifiers, signal: AbortSignal.any([signal, timeout]) });
      closed = undefined;
      return true;
    } catch (error) {
      if (isAnswer(error)) {
        refuse(error);
        throw error;
      }
      const reason = timeout.aborted ? `no answer within ${tryMs} ms` : messageOf(error);
      if (!signal.aborted) log.warn({ reason }, `${place} does not answer yet; trying again`);
      return false;
    }
  };
  const firstTry = attempt();
  const keepTrying = async (first: Promise<boolean>): Promise<void> => {
    for (let done = await first; !done; done = await attempt()) await sleep(retryMs, undefined, { signal });
  };
  const claimed = keepTrying(firstTry);
  const renew = (): Promise<void> => {
    closed = new StorageError('Unavailable', 'the store is not what it was and is looked at anew');
    return keepTrying(attempt());
  };
  // Whoever needs to know awaits these; nobody else is told of a rejection.
  for (const promise of [firstTry, claimed, refused]) promise.catch(() => {});
  return { store: gatedStore(store, () => closed), firstTry, claimed, renew, refused };
}
