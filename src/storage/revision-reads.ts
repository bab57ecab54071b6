/** Asks the store for its newest revision, linearizably. */
export type ReadRevision = () => Promise<number>;

/**
 * Shares reads of the newest revision among requests. A request may use only a call that began after it: a call under way may
 * have read before a write that the request's client knows of. So those who come during a call wait for the next, together.
 * Those of one tick share the call that begins at its end.
 */
export function sharedRevisionReads(read: ReadRevision): ReadRevision {
  let running: Promise<unknown> | undefined;
  let next: Promise<number> | undefined;

  return () => {
    next ??= begin();
    return next;
  };

  async function begin(): Promise<number> {
    await (running ?? endOfTick());
    const call = read();
    next = undefined;
    const settled = call.then(
      () => undefined,
      () => undefined,
    );
    running = settled;
    void settled.finally(() => {
      if (running === settled) running = undefined;
    });
    return call;
  }
}

function endOfTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
