interface Wakeable {
  wake(): void;
}

/**
 * Wakes askers at the end of the tick: what comes within one tick is then read, and written, together. Who asks twice is woken
 * twice.
 */
export function tickWakes(): (asker: Wakeable) => void {
  let askers: Wakeable[] = [];
  const wakeAll = () => {
    const woken = askers;
    askers = [];
    for (const asker of woken) asker.wake();
  };
  return (asker) => {
    if (askers.push(asker) === 1) setImmediate(wakeAll);
  };
}
