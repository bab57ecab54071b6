interface Wakeable {
  wake(): void;
}

/**
 * Batches wake-ups at the end of the tick, so that all events of a tick are read and written
 * together. An object that is passed twice is woken twice.
 */
export function batchedWakeUps(): (asker: Wakeable) => void {
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
