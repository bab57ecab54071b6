import { setTimeout as sleep } from 'node:timers/promises';
import { allowListeners, linkSignals } from './abort-signals.ts';

/**
 * Waits. Resolves early, without an error, when the signal aborts. With `ref: false` the timer does
 * not keep the process alive.
 */
export async function pause(
  delayMs: number,
  signal?: AbortSignal,
  options: { readonly ref?: boolean } = {},
): Promise<void> {
  if (signal) allowListeners(signal);
  try {
    await sleep(delayMs, undefined, { ...options, ...(signal ? { signal } : {}) });
  } catch {
    // Only an abort ends the sleep early; the caller checks its signal next.
  }
}

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

/** Resolves as a promise that never rejects does, or with another value when the time is over. */
export async function within<Value>(promise: Promise<Value>, limitMs: number, otherwise: Value): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<Value>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), limitMs);
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Calls a function once the event loop has read the data of the sockets. To be called by a timer.
 * Timers run first where the loop was late, so that a time limit that a timer judges at once counts
 * bytes as missing that arrived in time.
 */
export function afterPoll(judge: () => void): void {
  // Immediates run after the loop has polled.
  setImmediate(judge);
}

/** Delays between retries. */
export interface BackOffOptions {
  readonly initialMs: number;
  readonly maximumMs: number;
}

/** For a store: reconnects within two seconds after a short outage. */
export const storeBackOff: BackOffOptions = Object.freeze({ initialMs: 25, maximumMs: 1_000 });

/** The delays of client-go's reflector: short enough for a restart, long enough for an outage. */
export const clientBackOff: BackOffOptions = Object.freeze({ initialMs: 800, maximumMs: 30_000 });

/**
 * The delay before retry number `attempt`, from 0. It doubles with each consecutive failure up to
 * the maximum. A random factor between 1 and 2 keeps clients from retrying together.
 */
export function backOffMs(attempt: number, { initialMs, maximumMs }: BackOffOptions): number {
  return Math.min(initialMs * 2 ** attempt, maximumMs) * (1 + Math.random());
}
