import { StorageError } from './storage-error.ts';

/** Throws Cancelled if the caller has gone away already. */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new StorageError('Cancelled', 'the call was cancelled by its caller');
}

/**
 * Throws InvalidArgument for what cannot be a key: nothing, or a string with half a character, which has no bytes of
 * its own and would land on another key.
 */
export function checkKey(key: string): void {
  if (key === '') throw new StorageError('InvalidArgument', 'key: must not be empty');
  checkCharacters('key', key);
}

/** Throws InvalidArgument for a prefix or a start key with half a character in it; both may be empty. */
export function checkCharacters(what: string, text: string): void {
  if (/\p{Surrogate}/u.test(text)) throw new StorageError('InvalidArgument', `${what}: must be well-formed Unicode`);
}

/** Throws InvalidArgument unless `revision` is an integer of at least `least`. */
export function checkRevision(what: string, revision: number, least: number): void {
  if (Number.isSafeInteger(revision) && revision >= least) return;
  throw new StorageError('InvalidArgument', `${what}: must be an integer of at least ${least}, is ${revision}`);
}

/** Throws InvalidArgument unless a time to live, where one is given, is a whole number of seconds of at least one. */
export function checkTtl(ttlSeconds: number | undefined): void {
  if (ttlSeconds !== undefined) checkRevision('ttlSeconds', ttlSeconds, 1);
}

/** Compacted, as every store words it. `oldest` is undefined where the store could not find it out. */
export function compacted(revision: number, oldest: number | undefined, cause?: unknown): StorageError {
  const rest = oldest === undefined ? '' : `, the oldest is ${oldest}`;
  return new StorageError('Compacted', `revision ${revision} has been compacted${rest}`, { revision: oldest, cause });
}

/** FutureRevision, as every store words it. */
export function futureRevision(revision: number, newest: number | undefined, cause?: unknown): StorageError {
  const rest = newest === undefined ? '' : `, the newest is ${newest}`;
  return new StorageError('FutureRevision', `revision ${revision} has not been reached${rest}`, {
    revision: newest,
    cause,
  });
}

/** Corrupt, where a caller knows another history than the store has. */
export function anotherHistory(revision: number): StorageError {
  return new StorageError('Corrupt', 'the store is not the one that it was', { revision });
}

/** Unavailable, after `close`. */
export function storeClosed(): StorageError {
  return new StorageError('Unavailable', 'the store is closed');
}
