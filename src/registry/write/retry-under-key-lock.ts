import { StorageError } from '../../storage/port/storage-error.ts';
import type { KeyLock } from '../../async/key-lock.ts';

/** A write that can lose conflicts to concurrent writes of the same object. */
interface ContendedWrite<T> {
  readonly keyLock: KeyLock;
  readonly key: string;
  /** Undefined: the default number of attempts. */
  readonly attempts: number | undefined;
  /** Throws the storage error `Conflict` if its last attempt loses. */
  readonly write: (attempts: number | undefined) => Promise<T>;
}

/**
 * Tries once without a lock. After a conflict the write queues for the lock of its key, with all
 * other writes that lost: many concurrent patches of one object then do not use up each other's
 * attempts, which are left for conflicts with other servers.
 */
export async function retryUnderKeyLock<T>({ keyLock, key, attempts, write }: ContendedWrite<T>): Promise<T> {
  if (keyLock.isHeld(key)) return keyLock.run(key, () => write(attempts));
  try {
    return await write(1);
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'Conflict') throw error;
    return keyLock.run(key, () => write(attempts && attempts - 1));
  }
}
