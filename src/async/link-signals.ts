import { setMaxListeners } from 'node:events';

/** A signal that follows others. */
interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Takes it off its sources; must be called where one of them outlives the work. */
  readonly release: () => void;
}

/**
 * A signal that aborts with the first of its sources, with the same reason. Unlike `AbortSignal.any`, which adds an entry to
 * every source that is only freed with the source (50 MB after 10^6 requests on Node 20), it leaves nothing behind when
 * it is released.
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
  // Any number of signals may follow one source: Node would take more than ten listeners for a leak.
  setMaxListeners(0, source);
  source.addEventListener('abort', abort, { once: true });
}
