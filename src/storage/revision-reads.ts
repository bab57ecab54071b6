import { type Deferred, newDeferred } from '../async/deferred.ts';

/** Asks the store for its newest revision, linearizably. */
export type ReadRevision = () => Promise<number>;

/** So many that a turn has more to do than to find out that nobody came. For a few, a turn more costs more than it saves. */
const many = 8;
const turnsForMany = 2;

/**
 * Shares reads of the newest revision among requests. A request may use only a call that began after it: a call under way may
 * have read before a write that the request's client knows of. So those who come during a call wait for the next, together;
 * it begins at the end of the turn in which the first of them may have it, and takes along whoever came in that turn. Where many
 * wait, those whom the last call answered are likely to be back at once, and it begins two turns later.
 */
export function sharedRevisionReads(read: ReadRevision): ReadRevision {
  let running = false;
  let next: Deferred<number> | undefined;
  let waiting = 0;

  return () => {
    waiting++;
    if (!next) {
      next = newDeferred();
      if (!running) begin(0);
    }
    return next.promise;
  };

  function begin(turnsLater: number): void {
    running = true;
    setImmediate(() => (turnsLater > 0 ? begin(turnsLater - 1) : void call()));
  }

  async function call(): Promise<void> {
    const asked = next;
    next = undefined;
    waiting = 0;
    try {
      const revision = await read();
      end();
      asked?.resolve(revision);
    } catch (error) {
      end();
      asked?.reject(error);
    }
  }

  function end(): void {
    running = false;
    if (next) begin(waiting < many ? 0 : turnsForMany);
  }
}
