interface Wakeable {
  wake(): void;
}

/** Wakes each asker once, at the end of the tick: what comes within one tick is then read, and written, together. */
export function tickWakes(): (asker: Wakeable) => void {
  let askers = new Set<Wakeable>();
  const wakeAll = () => {
    const woken = askers;
    askers = new Set();
    for (const asker of woken) asker.wake();
  };
  return (asker) => {
    if (askers.size === 0) setImmediate(wakeAll);
    askers.add(asker);
  };
}
