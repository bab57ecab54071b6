import { LRUCache } from 'lru-cache';

/** Owners that are known to be absent. */
const absentLimit = 10_000;

/** Reads an owner by a key that has its uid; undefined if it is absent. */
type OwnerReads<Owner> = (key: string, read: () => Promise<Owner | undefined>) => Promise<Owner | undefined>;

/**
 * Lets the dependents of an owner share one request for it, as long as it runs, and remembers
 * absence: a uid never comes back.
 */
export function createOwnerReads<Owner>(): OwnerReads<Owner> {
  const absent = new LRUCache<string, true>({ max: absentLimit });
  const running = new Map<string, Promise<Owner | undefined>>();
  return (key, read) => {
    if (absent.has(key)) return Promise.resolve(undefined);
    const started = running.get(key);
    if (started) return started;
    const reading = read()
      .then((owner) => {
        if (!owner) absent.set(key, true);
        return owner;
      })
      .finally(() => running.delete(key));
    running.set(key, reading);
    return reading;
  };
}
