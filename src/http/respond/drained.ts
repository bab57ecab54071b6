import { ClientGone, type Exchange } from '../request/exchange.ts';

/** The part of a writable stream that says when it has room again. */
interface Drainable {
  once(event: string, listener: () => void): unknown;
  removeListener(event: string, listener: () => void): unknown;
}

/** Waits until a stream has room. Throws `ClientGone` when it closes instead. */
export function drained(stream: Drainable): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      stream.removeListener('drain', onDrain);
      stream.removeListener('close', onClose);
      finish();
    };
    const onDrain = (): void => settle(resolve);
    const onClose = (): void => settle(() => reject(new ClientGone()));
    stream.once('drain', onDrain);
    stream.once('close', onClose);
  });
}

/**
 * Waits until the stream of an answer has room. Throws the reason for which the exchange ends meanwhile, or has ended: a reader that
 * takes nothing is cut by the owner of the request (`OpenRequests`). The event of the stream would not do, which may have closed before, and
 * of which an answer that waits behind another one of its connection says nothing.
 */
export function drainedFor({ signal }: Exchange, stream: Drainable): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const onDrain = (): void => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    };
    const onAbort = (): void => {
      stream.removeListener('drain', onDrain);
      reject(signal.reason);
    };
    stream.once('drain', onDrain);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
