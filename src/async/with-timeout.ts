import { linkSignals } from './link-signals.ts';

/** The end of a work: its own time limit, and the signal of its caller. */
interface WorkLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The reason with which the work's signal aborts when the time is over. */
  readonly reason: () => Error;
}

/** Runs a work with a signal that aborts with the caller's, or when the time is over. */
export async function withTimeout<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  { timeoutMs, signal, reason }: WorkLimits,
): Promise<Value> {
  const expiry = new AbortController();
  const timer = setTimeout(() => expiry.abort(reason()), timeoutMs);
  const linked = linkSignals(signal, expiry.signal);
  try {
    return await work(linked.signal);
  } finally {
    clearTimeout(timer);
    linked.release();
  }
}
