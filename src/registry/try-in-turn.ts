import { StorageError } from '../storage/storage-error.ts';
import type { KeyLock } from '../async/key-lock.ts';

/** A write that may be lost so often, of an object that others may be writing too. */
interface ContendedWrite<T> {
  readonly turns: KeyLock;
  readonly key: string;
  /** Undefined: as many as any write has. */
  readonly attempts: number | undefined;
  /** Throws the storage error `Conflict` when the last attempt is lost. */
  readonly write: (attempts: number | undefined) => Promise<T>;
}

/**
 * Tries once, and by turns with all others that have lost at the same object: so a crowd of patches of one object does not use
 * up the attempts of each, which are for the writers of other servers.
 */
export async function tryInTurn<T>({ turns, key, attempts, write }: ContendedWrite<T>): Promise<T> {
  if (turns.isHeld(key)) return turns.run(key, () => write(attempts));
  try {
    return await write(1);
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'Conflict') throw error;
    return turns.run(key, () => write(attempts && attempts - 1));
  }
}
