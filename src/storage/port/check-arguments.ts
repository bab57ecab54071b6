import { StorageError } from './storage-error.ts';

/** Throws Cancelled if the caller has already aborted. */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new StorageError('Cancelled', 'the call was cancelled by its caller');
}

/**
 * Throws InvalidArgument for an invalid key: an empty one, or one with a lone surrogate, which has
 * no UTF-8 encoding of its own and would collide with another key.
 */
export function checkKey(key: string): void {
  if (key === '') throw new StorageError('InvalidArgument', 'key: must not be empty');
  checkCharacters('key', key);
}

/** Throws InvalidArgument for a prefix or start key with a lone surrogate; both may be empty. */
export function checkCharacters(what: string, text: string): void {
  if (/\p{Surrogate}/u.test(text)) throw new StorageError('InvalidArgument', `${what}: must be well-formed Unicode`);
}

/** Throws InvalidArgument unless `revision` is an integer of at least `least`. */
export function checkRevision(what: string, revision: number, least: number): void {
  if (Number.isSafeInteger(revision) && revision >= least) return;
  throw new StorageError('InvalidArgument', `${what}: must be an integer of at least ${least}, is ${revision}`);
}

/** Throws InvalidArgument unless a given TTL is an integer of at least one second. */
export function checkTtl(ttlSeconds: number | undefined): void {
  if (ttlSeconds !== undefined) checkRevision('ttlSeconds', ttlSeconds, 1);
}

/** The Compacted error of every store. `oldest` is undefined if the store does not know it. */
export function compacted(revision: number, oldest: number | undefined, cause?: unknown): StorageError {
  const rest = oldest === undefined ? '' : `, the oldest is ${oldest}`;
  return new StorageError('Compacted', `revision ${revision} has been compacted${rest}`, { revision: oldest, cause });
}

/** The FutureRevision error of every store. `newest` is undefined if the store does not know it. */
export function futureRevision(revision: number, newest: number | undefined, cause?: unknown): StorageError {
  const rest = newest === undefined ? '' : `, the newest is ${newest}`;
  return new StorageError('FutureRevision', `revision ${revision} has not been reached${rest}`, {
    revision: newest,
    cause,
  });
}

/** The Corrupt error for a caller whose history ID is not the store's. */
export function anotherHistory(revision: number): StorageError {
  return new StorageError('Corrupt', 'the store was replaced or restored from a backup', { revision });
}

/** The Unavailable error after `close`. */
export function storeClosed(): StorageError {
  return new StorageError('Unavailable', 'the store is closed');
}
