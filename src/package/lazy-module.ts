const known: (() => unknown)[] = [];

/**
 * Returns a function that loads a part of this package, or a library, at its first call, and
 * returns the same at each call: for code that most processes never use. `loadLazyModules` calls it
 * too, so every `import()` that may happen while a server runs is in one of these. A promise that
 * rejects is not kept.
 */
export function lazyModule<Loaded extends object>(load: () => Loaded): () => Loaded {
  let loaded: Loaded | undefined;
  const get = (): Loaded => {
    if (loaded) return loaded;
    const loading = load();
    loaded = loading;
    if (loading instanceof Promise) loading.catch(() => (loaded = undefined));
    return loading;
  };
  known.push(get);
  return get;
}

/**
 * Loads all lazy modules of this process, one at a time with pauses between them. A process that
 * runs for long does so after its start: its files may be replaced or removed while it runs, by a
 * build or an upgrade, and a part that was loaded then would be missing, or of another version.
 * Rejects with the first failure, after the others are loaded.
 */
export async function loadLazyModules(): Promise<void> {
  const failures: unknown[] = [];
  // A module that is loaded may add others.
  for (const load of known) {
    await pause();
    try {
      await load();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Longer than the requests that arrived meanwhile take: the work is not urgent. */
const pauseMs = 20;

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, pauseMs).unref();
  });
}
