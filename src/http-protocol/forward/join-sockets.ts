import type { Duplex } from 'node:stream';
import { limitRate } from './limit-rate.ts';

/** How long the rest of a connection may take after one of its ends has closed it. */
const lingerMs = 10_000;

interface JoinOptions {
  /** Destroys both sockets when it aborts. */
  readonly signal: AbortSignal;
  /** Called with the number of bytes that are passed to the client. */
  readonly onSent: (bytes: number) => void;
  /** Bytes per second in each direction; 0: no limit. */
  readonly bytesPerSecond?: number;
}

/**
 * Passes the bytes of two sockets on to each other, at the speed of the slower one, until one of
 * them ends: the bytes on their way are delivered, then both are closed. An error of one destroys
 * both. Resolves when the client's socket is closed.
 */
export function joinSockets(
  client: Duplex,
  backend: Duplex,
  { signal, onSent, bytesPerSecond = 0 }: JoinOptions,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const cut = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', cut);
    client.destroy();
    backend.destroy();
  };
  const linger = (): void => {
    timer ??= setTimeout(cut, lingerMs).unref();
  };
  const directions = [
    [client, backend],
    [backend, client],
  ] as const;
  for (const [from, to] of directions) {
    // The limiter may still hold bytes after its source has closed, so its own end counts.
    const source = bytesPerSecond === 0 ? from : from.pipe(limitRate(bytesPerSecond));
    const closed = (): void => {
      if (to.destroyed || to.writableFinished) cut();
      else if (to.writableEnded) to.once('finish', cut);
      else if (source === from || !from.readableEnded) cut();
      else {
        if (from === client) linger();
        source.once('end', closed);
      }
    };
    from.on('error', cut).on('close', closed);
    source.on('end', linger);
    source.pipe(to);
    if (source !== from) to.once('close', () => source.destroy());
  }
  backend.on('data', (chunk: Buffer) => onSent(chunk.length));
  signal.addEventListener('abort', cut, { once: true });
  if (signal.aborted) cut();
  return new Promise((resolve) => (client.closed ? resolve() : client.once('close', resolve)));
}
