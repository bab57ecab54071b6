import { ClientGone, type HttpExchange } from '../requests/http-exchange.ts';

/** The methods of a writable stream for waiting until it can be written to again. */
interface Drainable {
  once(event: string, listener: () => void): unknown;
  removeListener(event: string, listener: () => void): unknown;
}

/** Waits until a stream has room. Throws `ClientGone` if it closes first. */
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
 * Waits until the stream of a response has room. Throws the abort reason if the exchange is or gets
 * aborted; `OpenRequests` ends the exchange of a stuck reader. The `close` event of the stream is
 * not enough: it may have been emitted before, and is missing for a response queued behind another
 * one on its connection.
 */
export function drainedFor({ signal }: HttpExchange, stream: Drainable): Promise<void> {
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
