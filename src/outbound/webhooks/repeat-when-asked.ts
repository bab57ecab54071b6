import { pause } from '../../async/timers.ts';
import { CallError } from '../call-error.ts';

/** How often a call is repeated at most, as in kube-apiserver. */
const maxRepeats = 10;

/** The limits of a call with all its repeats. */
interface RepeatLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Makes a call, and repeats it if the server refuses it and says when it may be repeated: 429 and
 * 5xx with `Retry-After` in seconds. A call that HTTP/2 cuts off because its server stops is
 * repeated at once, on another connection. `call` gets the time that is left. Throws what the last
 * call threw, or the reason of the signal.
 */
export async function repeatWhenAsked<Result>(
  { timeoutMs, signal }: RepeatLimits,
  call: (leftMs: number) => Promise<Result>,
): Promise<Result> {
  const endMs = performance.now() + timeoutMs;
  const leftMs = (): number => Math.max(0, endMs - performance.now());
  for (let repeats = maxRepeats; ; repeats--) {
    try {
      return await call(leftMs());
    } catch (error) {
      const waitMs = repeats > 0 ? waitOf(error) : undefined;
      if (waitMs === undefined) throw error;
      const isTooLate = waitMs >= leftMs();
      await pause(Math.min(waitMs, leftMs()), signal);
      signal.throwIfAborted();
      if (isTooLate) throw new CallError('timeout', 'the server asks for a later call', { cause: error });
    }
  }
}

/** Undefined for an error after which the call must not be repeated. */
function waitOf(error: unknown): number | undefined {
  if (!(error instanceof CallError)) return undefined;
  if (isGracefulStop(error.cause)) return 0;
  const { status, retryAfterSeconds } = error;
  if (retryAfterSeconds === undefined) return undefined;
  return status === 429 || status >= 500 ? Math.max(0, retryAfterSeconds * 1000) : undefined;
}

/**
 * Reports whether a server ended a session of HTTP/2 without an error (GOAWAY). undici then drops
 * the running call, although the server would still answer it.
 */
function isGracefulStop(cause: unknown): boolean {
  return cause instanceof Error && cause.message === 'HTTP/2: "GOAWAY" frame received with code 0';
}
