import { type Deferred, newDeferred } from '../../async/deferred.ts';

/** Reads the newest revision of the store, linearizably. */
export type ReadRevision = () => Promise<number>;

/**
 * With this many waiting requests the next read is delayed by `turnsForMany` loop turns, so that
 * clients that were just answered can join it. With fewer, the delay would cost more than it saves.
 */
const many = 8;
const turnsForMany = 2;

/**
 * Shares linearizable reads of the newest revision among requests. A request may use only a read
 * that began after it arrived: a running read may miss a write that the client already knows of. So
 * requests that arrive during a read share the next one. It begins at the end of the loop turn in
 * which it becomes possible, and includes the requests of that turn. With many waiting requests it
 * begins two turns later.
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
