import { type Deferred, newDeferred } from './deferred.ts';

/** Asks the store for its newest revision, linearizably. */
export type ReadRevision = () => Promise<number>;

/**
 * Shares reads of the newest revision among requests. A request may use only a call that began after it: a call under way may
 * have read before a write that the request's client knows of. So those who come during a call wait for the next, together;
 * it begins at the end of the turn in which the first of them may have it, and takes along whoever came in that turn.
 */
export function sharedRevisionReads(read: ReadRevision): ReadRevision {
  let running = false;
  let next: Deferred<number> | undefined;

  return () => {
    if (!next) {
      next = newDeferred();
      if (!running) begin();
    }
    return next.promise;
  };

  function begin(): void {
    running = true;
    setImmediate(() => void call());
  }

  async function call(): Promise<void> {
    const waiting = next;
    next = undefined;
    try {
      const revision = await read();
      end();
      waiting?.resolve(revision);
    } catch (error) {
      end();
      waiting?.reject(error);
    }
  }

  function end(): void {
    running = false;
    if (next) begin();
  }
}
