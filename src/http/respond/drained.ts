import { ClientGone } from '../request/exchange.ts';

/** The part of a writable stream that says when it has room again. */
interface Drainable {
  once(event: string, listener: () => void): unknown;
  removeListener(event: string, listener: () => void): unknown;
}

/**
 * Waits until a stream has room. Throws `ClientGone` when it closes instead, or when it has taken nothing for
 * `stuckAfterMs` (0 waits for ever).
 */
export function drained(stream: Drainable, stuckAfterMs = 0): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      stream.removeListener('drain', onDrain);
      stream.removeListener('close', onClose);
      finish();
    };
    const onDrain = (): void => settle(resolve);
    const onClose = (): void => settle(() => reject(new ClientGone()));
    const timer = stuckAfterMs > 0 ? setTimeout(onClose, stuckAfterMs) : undefined;
    stream.once('drain', onDrain);
    stream.once('close', onClose);
  });
}
