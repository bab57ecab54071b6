/** A signal that follows others. */
export interface LinkedSignal {
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
  const linked = new AbortController();
  const abort = ({ target }: Event): void => {
    linked.abort(target instanceof AbortSignal ? target.reason : undefined);
    release();
  };
  const release = (): void => {
    for (const source of sources) source?.removeEventListener('abort', abort);
  };
  const aborted = sources.find((source) => source?.aborted);
  if (aborted) linked.abort(aborted.reason);
  else for (const source of sources) source?.addEventListener('abort', abort, { once: true });
  return { signal: linked.signal, release };
}
