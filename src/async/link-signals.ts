import { allowListeners } from './allow-listeners.ts';

/** A signal that follows other signals. */
interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Removes the listeners from the sources; must be called if a source outlives the work. */
  readonly release: () => void;
}

/**
 * Returns a signal that aborts with the first of its sources, and with its reason.
 * `AbortSignal.any` adds an entry to every source that is freed only with the source (50 MB after
 * 10^6 requests on Node 20). This signal leaves nothing behind after its release.
 */
export function linkSignals(...sources: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const present = sources.filter((source) => source !== undefined);
  const linked = new AbortController();
  const abort = ({ target }: Event): void => {
    linked.abort(target instanceof AbortSignal ? target.reason : undefined);
    release();
  };
  const release = (): void => {
    for (const source of present) source.removeEventListener('abort', abort);
  };
  const aborted = present.find((source) => source.aborted);
  if (aborted) linked.abort(aborted.reason);
  else for (const source of present) listen(source, abort);
  return { signal: linked.signal, release };
}

function listen(source: AbortSignal, abort: (event: Event) => void): void {
  // Any number of signals may follow one source; Node warns of a leak above ten listeners.
  allowListeners(source);
  source.addEventListener('abort', abort, { once: true });
}
