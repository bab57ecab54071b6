import type { Readable, Writable } from 'node:stream';
import type { TerminalSize } from '../../../client/streams/run-in-pod.ts';

/** The fields that a terminal has besides the fields of other streams. */
interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly setRawMode?: (raw: boolean) => unknown;
}

/** True if a stream is a terminal. */
export function isTerminal(stream: Readable | Writable): boolean {
  return (stream as Terminal).isTTY === true;
}

/** Passes keys on as they are typed, also those that interrupt. Returns a function that ends it. */
export function makeRaw(stdin: Readable): () => void {
  const terminal = stdin as Terminal;
  terminal.setRawMode?.(true);
  return () => void terminal.setRawMode?.(false);
}

/** The size of a terminal, and each later one, until the signal aborts. */
export async function* sizesOf(stdout: Writable, signal: AbortSignal): AsyncIterable<TerminalSize> {
  let wake: () => void = () => {};
  const onResize = (): void => wake();
  stdout.on('resize', onResize);
  signal.addEventListener('abort', onResize, { once: true });
  try {
    while (!signal.aborted) {
      const { columns = 80, rows = 24 } = stdout as Terminal;
      const changed = new Promise<void>((resolve) => (wake = resolve));
      yield { columns, rows };
      await changed;
    }
  } finally {
    stdout.off('resize', onResize);
    signal.removeEventListener('abort', onResize);
  }
}
